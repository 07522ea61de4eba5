import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { testKeySecurity } from '../../support/key-security.ts';
import { testMalformed } from '../../support/malformed.ts';

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance();
});
afterAll(() => instance.stop());

describe('API keys', () => testKeySecurity(vaultGetSecrets, () => instance, {}));
describe('malformed bodies', () => testMalformed(vaultGetSecrets, () => instance));
