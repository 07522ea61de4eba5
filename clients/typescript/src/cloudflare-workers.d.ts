declare module 'cloudflare:workers' {
  /** Bindings, variables and secrets of the Worker; undefined in old runtimes. */
  export const env: object | undefined;
  /** Keeps the current request alive until the promise settles; undefined in old runtimes. */
  export const waitUntil: ((promise: Promise<unknown>) => void) | undefined;
}
