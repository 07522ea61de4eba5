import type { Permission } from '../../../contract/endpoint.ts';
import { labelsMove } from '../../../contract/endpoints/labels/labels-move.ts';
import { lastUseOf } from '../../../lambdas/store/api-keys/uses.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask } from '../admin.ts';
import type { Reply, SharedInstance } from '../calls.ts';
import { auditOf } from '../rows/audit.ts';
import { newPrompt } from '../rows/prompts.ts';
import { changeAt } from '../rows/table.ts';

type Scenario = (instance: SharedInstance) => Promise<void>;

/** A call with a key of another permission leaves an audit entry. */
export const isRefused = async (
  instance: SharedInstance,
  call: (apiKey: string) => Promise<{ readonly status: number }>,
  permission: Permission,
): Promise<void> => {
  const { apiKey, keyId } = await instance.newKey({ permissions: [permission] });
  expect((await call(apiKey)).status).toBe(403);
  expect(await auditOf(instance, 'refusal', keyId)).toHaveLength(1);
};

const called = async (instance: SharedInstance, route: string, body: unknown): Promise<Reply> => {
  const { apiKey, keyId } = await instance.newKey({ permissions: ['publish'], labels: ['staging'] });
  const reply = await instance.post(route, body, apiKey);
  expect([reply.status, reply.json?.err]).toEqual([200, null]);
  expect(await lastUseOf(instance.table, keyId)).toBeDefined();
  await isRefused(instance, (key) => instance.post(route, body, key), 'secrets');
  return reply;
};

const moves = (name: string, version: string) => ({
  moves: [{ name, label: 'staging', from: null, to: version }],
});

/** One for each endpoint that publishes from code, and for sets of label moves. */
export const PUBLISHING_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'prompt-publish': async (instance) => {
    // The name of a deleted prompt: its draft and examples are removed, and its rows are to be purged.
    const { name, promptId } = await newPrompt(instance.table);
    await deletePrompt(instance.table, changeAt(), promptId);
    await called(instance, '/api/prompt/publish', { name, content: { prompt: 'Hi' }, base: null });
    await called(instance, '/api/prompt/publish', { name, content: { prompt: 'Ho' }, base: '2.0.0' });
  },
  'prompt-move-labels': async (instance) => {
    const { name } = await newPrompt(instance.table);
    await called(instance, '/api/prompt/move-labels', moves(name, '1.0.0'));
  },
  'prompt-list': async (instance) => {
    await newPrompt(instance.table);
    await called(instance, '/api/prompt/list', {});
  },
  'prompt-source': async (instance) => {
    const { name } = await newPrompt(instance.table);
    await called(instance, '/api/prompt/source', { names: [name] });
  },
  'labels-move': async (instance) => {
    const { name } = await newPrompt(instance.table);
    await ask(instance, labelsMove, { body: moves(name, '1.0.0'), groups: ['editor'] });
  },
};
