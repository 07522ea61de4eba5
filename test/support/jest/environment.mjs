/**
 * The environment of a test file: the process of its worker instead of a virtual context. Code runs as in production, and
 * `instanceof` holds for values of Node. `process.env` is the same again after each file.
 */
export default class {
  global = globalThis;
  // The tests use none of these; Jest requires the last.
  fakeTimers = null;
  fakeTimersModern = null;
  moduleMocker = { restoreAllMocks: () => {} };

  #console = console;
  #exit = process.exit;
  #write = process.stdout.write;
  #folder = process.cwd();
  // A copy in its place would be an object as any other: without an effect on the process.
  #environment = process.env;
  #variables = { ...process.env };

  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    process.exitCode = undefined;
    process.stdout.write = this.#write;
    process.chdir(this.#folder);
    process.env = this.#environment;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
  }
}
