import { createServer } from 'node:http';
import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { connectEngine } from '../../../local/engine/calls.ts';
import { listenOnLoopback } from '../../../local/loopback.ts';
import { openInstance } from '../../support/instance.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { ownTime } from '../statistics.ts';

/**
 * Processor time of a fetch from a local instance, beyond that of a server that only makes its two calls of the engine.
 * The client's and the engine's are the same for both.
 */
export const local = async () => {
  const calls = new Map<string, unknown>();
  const instance = await openInstance({
    onCall: (id, target, body) => {
      if (id === promptGetCompiled.id && !target.endsWith('.GetItem')) calls.set(target, body);
    },
  });
  const { name } = await newPrompt(instance.table);
  const fetchPrompt = () => instance.post(promptGetCompiled.route?.path ?? '', { name });
  await fetchPrompt();
  const engine = connectEngine(instance.engine.endpoint);
  const server = createServer(async (_, response) => {
    for (const [target, body] of calls) await engine.call(target, JSON.stringify(body));
    response.end();
  });
  const address = `http://${await listenOnLoopback(server)}`;
  const work = [fetchPrompt, async () => (await fetch(address)).text()] as const;
  const repeated = { warmUp: 20, rounds: 20, calls: 96 };
  return [
    await ownTime('a local fetch', work, 1.25, repeated),
    await ownTime('a local fetch, 32 at once', work, 0.6, { ...repeated, atOnce: 32 }),
  ];
};
