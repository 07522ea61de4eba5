import { spawnSync } from 'node:child_process';

// In a process of its own: one that is ended by an unhandled rejection answers nothing.
const CALL = `
import { promptGetCompiled } from '${import.meta.dirname}/../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { keyEndpoint } from '${import.meta.dirname}/../../../lambdas/http/key-endpoint.ts';
import { generateApiKey } from '${import.meta.dirname}/../../../lambdas/core/api-keys/new-key.ts';
import { CuevaultError } from '${import.meta.dirname}/../../../lambdas/core/errors.ts';
import { setTimeout as sleep } from 'node:timers/promises';
const unavailable = () => Promise.reject(new CuevaultError('unavailable', 'x'));
const hot = { read: unavailable, readThroughThrottling: (_id, read) => read() };
const table = { name: 't', hot, settings: { stage: 's' }, signing: { seen: new Map() } };
const handler = keyEndpoint(promptGetCompiled, table, async () => {
  if (process.argv[1] === 'slow') await sleep(20);
  throw new CuevaultError('prompt_not_found', 'There is no such prompt.');
});
const http = { sourceIp: '127.0.0.1', userAgent: '' };
const event = {
  headers: { authorization: 'Bearer ' + generateApiKey().apiKey },
  requestContext: { http },
  body: '{"name":"a"}',
};
const reply = await handler(event, { awsRequestId: 'r', getRemainingTimeInMillis: () => 5000 });
process.stdout.write(reply.headers['cuevault-error']);
`;

test.each(['fast', 'slow'])(
  'a key that cannot be checked takes precedence over a %s failure of the endpoint, and ends no container',
  (speed) => {
    const args = [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module-typescript',
      '-e',
      CALL,
      speed,
    ];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([stdout.split('\n').at(-1), status]).toEqual(['unavailable', 0]);
  },
);
