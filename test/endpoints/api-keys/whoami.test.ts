import { documentationOf } from '../../../contract/documentation.ts';
import { whoami } from '../../../contract/endpoints/api-keys.ts';
import { LOOPBACK, toReply } from '../../support/calls.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test.each(['prompts', 'secrets', 'publish', 'compare'] as const)(
  'a key with the permission %s learns its id, its name and its limits, and nothing that proves it',
  async (permission) => {
    const { apiKey, keyId } = await instance.newKey({ permissions: [permission], prompts: ['a/*'] });
    const headers = { authorization: `Bearer ${apiKey}` };
    const { status, json } = await toReply(await fetch(`${instance.url}/api/whoami`, { headers }));
    expect(status).toBe(200);
    expect(documentationOf(whoami).reply.parse(json.res)).toEqual(json.res);
    expect(json.res).toEqual({
      ...{ keyId, name: 'test key', permissions: [permission], tags: [], prompts: ['a/*'], cidrs: [] },
      ...{ address: expect.stringMatching(LOOPBACK), at: expect.stringMatching(/^20.+Z$/) },
    });
  },
);
