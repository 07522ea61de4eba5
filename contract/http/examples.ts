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

export const SOURCE = {
  repository: 'acme/app',
  commit: '9f2c4b7d1e0a86535c7d9b2f4e6a8c0d1f3b5a79',
  path: 'prompts/greeting.prompt',
};
