// A program that reads its secrets from environment variables.
const { APP_DATABASE_URL, APP_OPENAI_API_KEY } = process.env;

if (!APP_DATABASE_URL || !APP_OPENAI_API_KEY) {
  process.stderr.write('APP_DATABASE_URL and APP_OPENAI_API_KEY must be set.\n');
  process.exit(1);
}
const { host, pathname } = new URL(APP_DATABASE_URL);
process.stdout.write(`Working with the database ${pathname.slice(1)} at ${host}.\n`);
