/** A reason not to start that whoever starts Cuevault can put right: `message` is the one line to show. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
