// Values that the examples of several endpoints share.

export const PROMPT_ID = 'prm_IurY9iBlVTeaGfQkX8ukRN';
export const SECRET_ID = '4rTgY7uJ2kLm9NpQ3sVw5x';
export const KEY_ID = '3fGh7KmP';

export const PROMPT = {
  name: 'greeting',
  latest: '1.1.0',
  labels: [{ label: 'production', version: '1.0.0' }],
  excerpt: 'Hello {{user}}!',
  type: 'text',
  contentHash: 'sha256:30563289a7f1e868d8c6a4679fd6e2c58aca8aebbbec7dd9236cf2b33608d5aa',
  note: 'Say hello',
  createdAt: '2026-03-01T12:00:00.000Z',
  createdBy: 'ada@example.com',
};

export const CONTENT = { prompt: 'Hello {{user}}!', tags: ['sample'], metaProperties: { model: 'small' } };

export const SOURCE = {
  repository: 'acme/app',
  commit: '9f2c4b7d1e0a86535c7d9b2f4e6a8c0d1f3b5a79',
  path: 'prompts/greeting.prompt',
};
