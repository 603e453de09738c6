-- Run once by the container of PostgreSQL, as its superuser. Plybook owns its database and is no
-- superuser itself; the superuser then logs in from within the container only.
\getenv password POSTGRES_PASSWORD
CREATE ROLE plybook LOGIN PASSWORD :'password';
CREATE DATABASE plybook OWNER plybook;
ALTER ROLE postgres PASSWORD NULL;
