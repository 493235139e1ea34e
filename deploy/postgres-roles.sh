# The roles of the database, run by the image of PostgreSQL when it makes the database:
# `onefold_owner` owns the tables and runs `migrate`; `onefold_service` is what the services log on as, and may do only what
# `onefold_application` may: read and write rows of one organization at a time.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  -v owner_password="$ONEFOLD_OWNER_PASSWORD" -v service_password="$ONEFOLD_SERVICE_PASSWORD" -v database="$POSTGRES_DB" <<'SQL'
create role onefold_application nologin;
create role onefold_owner login password :'owner_password';
grant onefold_application to onefold_owner with admin option;
create role onefold_service login password :'service_password' in role onefold_application;
alter database :"database" owner to onefold_owner;
SQL
