import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { testKeySecurity } from '../../support/scenarios/key-security.ts';
import { testMalformed } from '../../support/scenarios/malformed.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

describe('API keys', () => testKeySecurity(vaultGetSecrets, () => instance, {}));

describe('malformed bodies', () => testMalformed(vaultGetSecrets, () => instance));
