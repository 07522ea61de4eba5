// Values that the examples of several endpoints share.

const who = 'ada@example.com';
const AT = '2026-03-01T12:00:00.000Z';

export const PROMPT_ID = 'prm_IurY9iBlVTeaGfQkX8ukRN';
export const SECRET_ID = '4rTgY7uJ2kLm9NpQ3sVw5x';
export const KEY_ID = '3fGh7KmP';

const HASH = 'sha256:30563289a7f1e868d8c6a4679fd6e2c58aca8aebbbec7dd9236cf2b33608d5aa';

export const PROMPT = {
  promptId: PROMPT_ID,
  name: 'greeting',
  rev: 3,
  latest: '1.1.0',
  highest: '1.1.0',
  versions: 2,
  labels: [{ label: 'production', version: '1.0.0' }],
  tags: ['sample'],
  templateBytes: 15,
  excerpt: 'Hello {{user}}!',
  type: 'text',
  contentHash: HASH,
  createdAt: AT,
  createdBy: who,
  changedAt: AT,
  changedBy: who,
};

export const FETCHES = { last7Days: 12, byDay: [0, 0, 3, 0, 0, 5, 4], lastAt: AT };

export const CONTENT = { prompt: 'Hello {{user}}!', tags: ['sample'], metaProperties: { model: 'small' } };

export const VERSION = {
  promptId: PROMPT_ID,
  version: '1.1.0',
  type: 'text',
  ...CONTENT,
  contentHash: HASH,
  note: 'Say hello',
  publishedAt: AT,
  publishedBy: who,
};

export const DRAFT = {
  type: 'text',
  ...CONTENT,
  note: '',
  baseVersion: '1.1.0',
  rev: 7,
  savedAt: AT,
  savedBy: who,
};

export const EXAMPLES = { values: { user: 'Ada' }, savedAt: AT, savedBy: who };

export const OPERATOR = {
  operatorId: '0b7f2c1e-6a1d-4f0e-9c53-2d1b8a4e7f60',
  email: 'grace@example.com',
  status: 'pending',
  group: 'editor',
};

export const SECRET = {
  secretId: SECRET_ID,
  key: 'DATABASE_URL',
  tags: ['database'],
  number: 2,
  createdAt: AT,
  createdBy: who,
  changedAt: AT,
  changedBy: who,
};

export const VAULT = {
  ...{ revision: 9, changedAt: AT, changedBy: who, secrets: 12, bytes: 640, keyVersion: 1 },
  ...{ reencrypted: true, stopped: null },
};

export const LAST_READ = { at: AT, apiKeyId: KEY_ID, apiKeyName: 'web' };

export const DELETED = { deletedAt: AT, deletedBy: who, restorableUntil: '2026-03-08T12:00:00.000Z' };

export const KEY = {
  keyId: KEY_ID,
  kind: 'key',
  name: 'web',
  permissions: ['prompts', 'secrets'],
  tags: [],
  prompts: [],
  cidrs: [],
  status: 'active',
  createdAt: AT,
  createdBy: who,
};

export const PROTECTED_LABEL = { label: 'production', protectedAt: AT, protectedBy: who };

export const AUDIT = {
  entryId: `${AT}#0f9c6a1e-6f0e-4d7a-9f3c-2a4c5b1d7e21#x7KpQ2`,
  at: AT,
  kind: 'change',
  actor: who,
  action: 'label.set',
  subject: PROMPT_ID,
  name: 'greeting',
  details: { label: 'production', from: '1.0.0', to: '1.1.0' },
  requestId: '0f9c6a1e-6f0e-4d7a-9f3c-2a4c5b1d7e21',
};

export const SOURCE = {
  repository: 'acme/app',
  commit: '9f2c4b7d1e0a86535c7d9b2f4e6a8c0d1f3b5a79',
  path: 'prompts/greeting.prompt',
};
