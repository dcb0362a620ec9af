-- The three roles of a ledger. None logs in: a person's own role is made a member of steward or analyst.
--   curator_ledger_owner    owns schema, tables and functions; nobody is its member
--   curator_ledger_steward  creates pools, grants shares, sees and audits everything
--   curator_ledger_analyst  charges and sees what is theirs
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'curator_ledger_owner') THEN
    CREATE ROLE curator_ledger_owner NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'curator_ledger_steward') THEN
    CREATE ROLE curator_ledger_steward NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'curator_ledger_analyst') THEN
    CREATE ROLE curator_ledger_analyst NOLOGIN;
  END IF;
  IF EXISTS (
    SELECT FROM pg_roles
    WHERE rolname IN ('curator_ledger_owner', 'curator_ledger_steward', 'curator_ledger_analyst')
      AND (rolsuper OR rolcanlogin OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)
  ) THEN
    RAISE EXCEPTION 'unsafe-role' USING ERRCODE = 'LG001';
  END IF;
END
$$;

GRANT curator_ledger_analyst TO curator_ledger_steward;
GRANT curator_ledger_steward TO CURRENT_USER;
GRANT curator_ledger_owner TO CURRENT_USER;  -- until the end of this transaction
CREATE SCHEMA ledger AUTHORIZATION curator_ledger_owner;
SET LOCAL ROLE curator_ledger_owner;
