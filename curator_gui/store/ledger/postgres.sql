-- What a ledger is on PostgreSQL besides its tables. Run as curator_ledger_owner.
--
-- Every function that writes is SECURITY DEFINER with a fixed search_path (pg_temp last, so that no temporary
-- table can stand in for one of ours), has no dynamic SQL, and takes its caller from session_user, which SET ROLE
-- does not change. A rule that is broken raises SQLSTATE LG001 with a token; the program has the sentence.

-- Chain -----------------------------------------------------------------------------------------------------

CREATE FUNCTION ledger.netstring(value text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = ledger, pg_temp
AS $$ SELECT CASE WHEN value IS NULL THEN '-' ELSE octet_length(value) || ':' || value END $$;

CREATE FUNCTION ledger.entry_hash(e ledger.entries) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = ledger, pg_temp
AS $$
  SELECT encode(sha256(convert_to(
    ledger.netstring('curator-ledger/1') || ledger.netstring(e.pool) || ledger.netstring(e.number::text)
    || ledger.netstring(e.at) || ledger.netstring(e.event) || ledger.netstring(e.actor)
    || ledger.netstring(e.user_name) || ledger.netstring(e.request) || ledger.netstring(e.requested::text)
    || ledger.netstring(e.least::text) || ledger.netstring(e.offered::text) || ledger.netstring(e.approved::text)
    || ledger.netstring(e.bound) || ledger.netstring(e.rho::text) || ledger.netstring(e.dataset_left::text)
    || ledger.netstring(e.rho_spent::text) || ledger.netstring(e.user_left::text) || ledger.netstring(e.detail)
    || ledger.netstring(e.previous), 'UTF8')), 'hex')
$$;

-- The caller holds the pool's row; the balances written are those in the tables by now.
CREATE FUNCTION ledger.append(e ledger.entries) RETURNS ledger.entries
LANGUAGE plpgsql SET search_path = ledger, pg_temp
AS $$
DECLARE
  last_entry ledger.entries;
BEGIN
  SELECT * INTO last_entry FROM ledger.entries x WHERE x.pool = e.pool ORDER BY x.number DESC LIMIT 1;
  e.number := coalesce(last_entry.number, 0) + 1;
  e.previous := coalesce(last_entry.hash, repeat('0', 64));
  e.at := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
  e.actor := session_user;
  e.rho := coalesce(e.rho, 0);
  e.detail := coalesce(e.detail, '');
  SELECT p.dataset_left, p.rho_spent INTO e.dataset_left, e.rho_spent FROM ledger.pools p WHERE p.id = e.pool;
  e.hash := ledger.entry_hash(e);
  INSERT INTO ledger.entries VALUES (e.*);
  RETURN e;
END
$$;

CREATE FUNCTION ledger.keep() RETURNS trigger
LANGUAGE plpgsql SET search_path = ledger, pg_temp
AS $$ BEGIN RAISE EXCEPTION 'entries are append-only'; END $$;

CREATE TRIGGER entries_keep BEFORE UPDATE OR DELETE ON ledger.entries
  FOR EACH ROW EXECUTE FUNCTION ledger.keep();
CREATE TRIGGER entries_stay BEFORE TRUNCATE ON ledger.entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.keep();

-- Datasets --------------------------------------------------------------------------------------------------

-- HMAC-SHA256 with the two padded keys: the secret never leaves the server.
CREATE FUNCTION ledger.keyed(content bytea) RETURNS text
LANGUAGE sql STABLE SET search_path = ledger, pg_temp
AS $$ SELECT encode(sha256(s.outer_pad || sha256(s.inner_pad || content)), 'hex') FROM ledger.secret s $$;

CREATE FUNCTION ledger.pool_of(p_content bytea) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ledger, pg_temp
AS $$ SELECT d.pool FROM ledger.datasets d WHERE d.fingerprint = ledger.keyed(p_content) $$;

CREATE FUNCTION ledger.own(p_pool text, p_content bytea) RETURNS text
LANGUAGE plpgsql SET search_path = ledger, pg_temp
AS $$
DECLARE
  keyed_content text := ledger.keyed(p_content);
BEGIN
  IF p_content IS NULL OR octet_length(p_content) <> 32 THEN
    RAISE EXCEPTION 'other-dataset' USING ERRCODE = 'LG001';
  END IF;
  INSERT INTO ledger.datasets VALUES (keyed_content, p_pool) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'dataset-has-pool' USING ERRCODE = 'LG001';
  END IF;
  RETURN keyed_content;
END
$$;

-- What stewards do ------------------------------------------------------------------------------------------

CREATE FUNCTION ledger.create_pool(
  p_id text, p_name text, p_kind text, p_delta text, p_size bigint, p_epsilon bigint, p_capacity bigint,
  p_rho_capacity bigint, p_least bigint, p_per_operation bigint, p_epsilons bigint[], p_rhos bigint[],
  p_content bytea
) RETURNS ledger.entries
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  points text := '';
  created ledger.entries;
BEGIN
  INSERT INTO ledger.pools VALUES (
    p_id, p_name, p_kind, p_delta, p_size, p_epsilon, p_capacity, p_rho_capacity, p_least, p_per_operation,
    p_capacity, 0
  );
  INSERT INTO ledger.tariff SELECT p_id, t.epsilon, t.rho FROM unnest(p_epsilons, p_rhos) AS t (epsilon, rho);
  SELECT coalesce(string_agg(t.epsilon || ':' || t.rho, ',' ORDER BY t.epsilon), '') INTO points
    FROM ledger.tariff t WHERE t.pool = p_id;
  created.pool := p_id;
  created.event := 'create';
  created.detail := ledger.netstring(p_name) || ledger.netstring(p_kind) || ledger.netstring(p_delta)
    || ledger.netstring(p_size::text) || ledger.netstring(p_epsilon::text) || ledger.netstring(p_capacity::text)
    || ledger.netstring(p_rho_capacity::text) || ledger.netstring(p_least::text)
    || ledger.netstring(p_per_operation::text)
    || ledger.netstring(encode(sha256(convert_to(points, 'UTF8')), 'hex'))
    || ledger.netstring(ledger.own(p_id, p_content));
  RETURN ledger.append(created);
END
$$;

CREATE FUNCTION ledger.attach(p_pool text, p_content bytea) RETURNS ledger.entries
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  attached ledger.entries;
BEGIN
  PERFORM FROM ledger.pools p WHERE p.id = p_pool FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'unknown-pool' USING ERRCODE = 'LG001';
  END IF;
  attached.pool := p_pool;
  attached.event := 'attach';
  attached.detail := ledger.netstring(ledger.own(p_pool, p_content));
  RETURN ledger.append(attached);
END
$$;

CREATE FUNCTION ledger.share(p_pool text, p_user text, p_per_request bigint, p_total bigint)
RETURNS ledger.entries
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  old ledger.users;
  spent bigint := 0;
  granted ledger.entries;
BEGIN
  PERFORM FROM ledger.pools p WHERE p.id = p_pool FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'unknown-pool' USING ERRCODE = 'LG001';
  END IF;
  IF p_per_request IS NULL OR p_total IS NULL OR p_per_request <= 0 OR p_total <= 0 THEN
    RAISE EXCEPTION 'bad-amount' USING ERRCODE = 'LG001';
  END IF;
  SELECT * INTO old FROM ledger.users u WHERE u.pool = p_pool AND u.user_name = p_user FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO ledger.users VALUES (p_pool, p_user, p_per_request, p_total, p_total);
  ELSE
    IF p_total > old.total THEN
      RAISE EXCEPTION 'raised' USING ERRCODE = 'LG001';
    END IF;
    spent := old.total - old.user_left;
    UPDATE ledger.users u
      SET per_request = p_per_request,
          total = greatest(p_total, spent),
          user_left = greatest(p_total, spent) - spent
      WHERE u.pool = p_pool AND u.user_name = p_user;
  END IF;
  granted.pool := p_pool;
  granted.event := 'grant';
  granted.user_name := p_user;
  granted.user_left := greatest(p_total, spent) - spent;
  granted.detail := ledger.netstring(p_per_request::text) || ledger.netstring(p_total::text);
  RETURN ledger.append(granted);
END
$$;

-- BudgetEval ------------------------------------------------------------------------------------------------

-- The ρ of an approved amount: itself in a ρ-pool, the tariff's chord, rounded up, in an ε-pool.
CREATE FUNCTION ledger.rho_of(p_pool ledger.pools, p_amount bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = ledger, pg_temp
AS $$
DECLARE
  below ledger.tariff;
  above ledger.tariff;
BEGIN
  IF p_pool.kind = 'rho' OR p_amount = 0 THEN
    RETURN p_amount;
  END IF;
  SELECT * INTO STRICT above FROM ledger.tariff t
    WHERE t.pool = p_pool.id AND t.epsilon >= p_amount ORDER BY t.epsilon LIMIT 1;
  IF above.epsilon = p_amount THEN
    RETURN above.rho;
  END IF;
  SELECT * INTO STRICT below FROM ledger.tariff t
    WHERE t.pool = p_pool.id AND t.epsilon < p_amount ORDER BY t.epsilon DESC LIMIT 1;
  RETURN below.rho + div(
    (above.rho - below.rho)::numeric * (p_amount - below.epsilon) + (above.epsilon - below.epsilon - 1),
    above.epsilon - below.epsilon
  );
END
$$;

-- p_amount, p_least: account units of the pool. Both balances are locked, the dataset's first, before either is
-- read. The caller is session_user. The same request id again gets the first decision.
CREATE FUNCTION ledger.charge(p_pool text, p_content bytea, p_request text, p_amount bigint, p_least bigint)
RETURNS ledger.entries
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  dataset ledger.pools;
  share ledger.users;
  entry ledger.entries;
BEGIN
  SELECT * INTO dataset FROM ledger.pools p WHERE p.id = p_pool FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'unknown-pool' USING ERRCODE = 'LG001';
  END IF;
  SELECT * INTO share FROM ledger.users u
    WHERE u.pool = p_pool AND u.user_name = session_user::text FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'unknown-user' USING ERRCODE = 'LG001';
  END IF;
  IF ledger.pool_of(p_content) IS DISTINCT FROM p_pool THEN
    RAISE EXCEPTION 'other-dataset' USING ERRCODE = 'LG001';
  END IF;

  SELECT * INTO entry FROM ledger.entries e WHERE e.pool = p_pool AND e.request = p_request;
  IF FOUND THEN
    IF (entry.user_name, entry.requested, entry.least) IS DISTINCT FROM (session_user::text, p_amount, p_least) THEN
      RAISE EXCEPTION 'reused-id' USING ERRCODE = 'LG001';
    END IF;
    RETURN entry;
  END IF;

  IF p_request IS NULL OR p_request !~ '^[A-Za-z0-9._-]{1,64}$' THEN
    RAISE EXCEPTION 'bad-request' USING ERRCODE = 'LG001';
  END IF;
  IF p_amount IS NULL OR p_least IS NULL OR p_least < dataset.least OR p_least > p_amount THEN
    RAISE EXCEPTION 'bad-amount' USING ERRCODE = 'LG001';
  END IF;

  entry.pool := p_pool;
  entry.user_name := session_user;
  entry.request := p_request;
  entry.requested := p_amount;
  entry.least := p_least;
  entry.bound := 'none';
  entry.offered := p_amount;
  IF p_amount > dataset.per_operation THEN
    entry.bound := 'per-operation';
    entry.offered := 0;
  ELSIF dataset.dataset_left <= 0 THEN
    entry.bound := 'dataset';
    entry.offered := 0;
  ELSE
    IF share.per_request < entry.offered THEN
      entry.bound := 'per-request';
      entry.offered := share.per_request;
    END IF;
    IF dataset.dataset_left < entry.offered THEN
      entry.bound := 'dataset';
      entry.offered := dataset.dataset_left;
    END IF;
    IF share.user_left < entry.offered THEN
      entry.bound := 'user';
      entry.offered := share.user_left;
    END IF;
    IF entry.offered < dataset.least THEN
      entry.offered := 0;
    END IF;
  END IF;
  entry.approved := CASE WHEN entry.offered >= p_least THEN entry.offered ELSE 0 END;
  entry.rho := ledger.rho_of(dataset, entry.approved);
  IF dataset.rho_spent + entry.rho > dataset.rho_capacity THEN
    entry.bound := 'proven-loss';
    entry.offered := 0;
    entry.approved := 0;
    entry.rho := 0;
  END IF;
  entry.event := CASE WHEN entry.approved > 0 THEN 'charge' ELSE 'refusal' END;
  entry.user_left := share.user_left - entry.approved;

  UPDATE ledger.pools p
    SET dataset_left = p.dataset_left - entry.approved, rho_spent = p.rho_spent + entry.rho
    WHERE p.id = p_pool;
  UPDATE ledger.users u SET user_left = u.user_left - entry.approved
    WHERE u.pool = p_pool AND u.user_name = session_user::text;
  RETURN ledger.append(entry);
END
$$;

CREATE FUNCTION ledger.mark_released(p_pool text, p_number bigint, p_sha256 text) RETURNS ledger.entries
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp SET lock_timeout = '5s'
AS $$
DECLARE
  released ledger.entries;
BEGIN
  PERFORM FROM ledger.pools p WHERE p.id = p_pool FOR UPDATE;
  IF p_sha256 IS NULL OR p_sha256 !~ '^[0-9a-f]{64}$' THEN
    RAISE EXCEPTION 'bad-hash' USING ERRCODE = 'LG001';
  END IF;
  PERFORM FROM ledger.entries e
    WHERE e.pool = p_pool AND e.number = p_number AND e.event = 'charge' AND e.user_name = session_user::text;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'not-a-charge' USING ERRCODE = 'LG001';
  END IF;
  SELECT u.user_left INTO released.user_left FROM ledger.users u
    WHERE u.pool = p_pool AND u.user_name = session_user::text;
  released.pool := p_pool;
  released.event := 'release';
  released.user_name := session_user;
  released.detail := ledger.netstring(p_number::text) || ledger.netstring(p_sha256);
  RETURN ledger.append(released);
END
$$;

-- Who may what ----------------------------------------------------------------------------------------------

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC;
GRANT USAGE ON SCHEMA ledger TO curator_ledger_analyst;
GRANT SELECT ON ledger.meta, ledger.pools, ledger.tariff, ledger.users, ledger.entries TO curator_ledger_analyst;
GRANT SELECT ON ledger.datasets TO curator_ledger_steward;
GRANT EXECUTE ON FUNCTION
  ledger.pool_of(bytea),
  ledger.charge(text, bytea, text, bigint, bigint),
  ledger.mark_released(text, bigint, text)
  TO curator_ledger_analyst;
GRANT EXECUTE ON FUNCTION
  ledger.create_pool(
    text, text, text, text, bigint, bigint, bigint, bigint, bigint, bigint, bigint[], bigint[], bytea
  ),
  ledger.attach(text, bytea),
  ledger.share(text, text, bigint, bigint)
  TO curator_ledger_steward;

ALTER TABLE ledger.pools ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger.tariff ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger.users ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger.entries ENABLE ROW LEVEL SECURITY;

CREATE POLICY steward ON ledger.pools FOR SELECT
  USING (pg_has_role(session_user, 'curator_ledger_steward', 'member'));
CREATE POLICY steward ON ledger.tariff FOR SELECT
  USING (pg_has_role(session_user, 'curator_ledger_steward', 'member'));
CREATE POLICY steward ON ledger.users FOR SELECT
  USING (pg_has_role(session_user, 'curator_ledger_steward', 'member'));
CREATE POLICY steward ON ledger.entries FOR SELECT
  USING (pg_has_role(session_user, 'curator_ledger_steward', 'member'));

CREATE POLICY own ON ledger.users FOR SELECT USING (user_name = session_user::text);
CREATE POLICY own ON ledger.entries FOR SELECT USING (user_name = session_user::text);
CREATE POLICY own ON ledger.pools FOR SELECT
  USING (EXISTS (SELECT FROM ledger.users u WHERE u.pool = id AND u.user_name = session_user::text));
CREATE POLICY own ON ledger.tariff FOR SELECT
  USING (EXISTS (SELECT FROM ledger.users u WHERE u.pool = tariff.pool AND u.user_name = session_user::text));
