/** A problem that the user can fix. `message` is the one line to show. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
