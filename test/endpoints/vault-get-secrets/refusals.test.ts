import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { testKeySecurity } from '../../support/scenarios/key-security.ts';
import { testMalformed } from '../../support/scenarios/malformed.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

describe('API keys', () => testKeySecurity(vaultGetSecrets, () => instance, {}));
test.each(['{"tag": ["llm"]}', '{"key": null}', '{"tags": null}', '{"__proto__": {}}', '{"Key": "A"}'])(
  'a filter that is misspelled or null releases nothing: %s',
  async (body) => {
    const reply = await instance.post('/api/vault/get-secrets', body);
    const [, name] = /"(\w+)"/.exec(body) ?? [];
    expect(reply).toMatchObject({ status: 400, code: 'invalid_request', json: { res: null } });
    expect(reply.json.err).toContain(`"${name}"`);
  },
);

describe('malformed bodies', () => testMalformed(vaultGetSecrets, () => instance));
