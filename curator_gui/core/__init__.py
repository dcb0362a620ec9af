"""Values everything speaks in: tables, views, predicates, operators, plans. No files, no clock, no Qt."""
