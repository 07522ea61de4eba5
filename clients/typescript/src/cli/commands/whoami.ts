import { createTransport } from '../../http/transport.ts';
import { EXIT } from '../exit-codes.ts';
import type { Call } from '../options.ts';

/** `cuevault whoami`: prints what the service knows of the key or token. Returns the exit code. */
export const whoamiCommand = async ({ values, terminal }: Call): Promise<number> => {
  const { connection, send } = createTransport({});
  const subject = { operation: 'whoami', name: undefined } as const;
  const { at, address, ...key } = await send({ path: '/api/whoami', subject });
  const aheadMs = Date.now() - Date.parse(String(at));
  const known = { url: connection().url, ...key, callerAddress: address, clockAheadSeconds: aheadMs / 1000 };
  const lines = Object.entries(known).map(
    ([name, value]) => `${name}: ${[value].flat().join(', ') || '-'}\n`,
  );
  terminal.raw(values.json === true ? `${JSON.stringify(known, null, 2)}\n` : lines.join(''));
  return EXIT.done;
};
