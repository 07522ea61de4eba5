// How to write an endpoint test
//
//   withSharedInstance();
//
//   test('a draft is kept until it is published', async () => {
//     const { promptId } = await aPrompt();                                       // a new one for each test
//     await ask('drafts-save', { promptId, prompt: 'x' }, 'editor');
//     const sentence = await refused('drafts-save', 'prompt_not_found', { promptId: 'prm_x', prompt: 'x' });
//   });
//
// - `ask` calls an endpoint for operators that must succeed, and checks the reply against the contract; `refused` one that
//   must fail with a code; `send` either (`../admin.ts`). Each field goes where the contract takes it, path, query or body.
//   Who calls is an administrator, or another role or token. `instance.post` calls an endpoint for applications.
// - `aPrompt`, `fetchPrompt`, `aSecret`, `readSecrets` make what operators find (`../scenarios/admin-world.ts`). What the table
//   holds can be prepared and read with the functions of `lambdas/store` on `instance.table`.
// - The instance runs in a process of its own, and all test files of a Jest worker use it, one after the other. Look
//   for what the test has made, by its id, a name of its own or a new API key (`instance.newKey()`), and expect others'
//   prompts, secrets, keys and audit entries beside it.
// - Counters, last uses, last reads and events are derived from the table's stream, which these instances hold until
//   `instance.settled()` is awaited: call it before looking at them. With `consumes: 'after-writes'` they follow by
//   themselves, as for users.
// - A test that needs an empty instance, or samples, has one of its own with `withOwnInstance`. One that changes the calls
//   between the functions and the engine starts it in its own process with `openInstance` (`../instance.ts`), which takes
//   longest. Both are to be stopped.
// - Who may call an endpoint is tested for all of them in one place: `test/endpoints/operators.test.ts`.
import { useInstance } from '../admin.ts';
import type { SharedInstance } from '../calls.ts';
import type { Beginning } from '../data-folder.ts';
import { connect, type OpenOptions } from './remote.ts';

export type { SharedInstance } from '../calls.ts';

/** An instance that one test file uses alone. */
export interface OwnInstance extends SharedInstance {
  readonly stop: () => Promise<void>;
}

let shared: Promise<SharedInstance> | undefined;

/** The instance that the test files of this Jest worker share. It starts with the first that needs it. */
export const sharedInstance = (): Promise<SharedInstance> => {
  shared ??= connect({ name: 'shared' }).catch((error: unknown) => {
    shared = undefined;
    throw error;
  });
  return shared;
};

/** An instance with nothing in it; without samples unless asked for. */
export const ownInstance = (
  options: Pick<OpenOptions, keyof Beginning | 'webhook' | 'consumes' | 'publishRate' | 'model'> = {},
): Promise<OwnInstance> => connect({ name: 'open', args: [options] });

/** The instance of this test file, once one of the functions below has opened it. */
export let instance: SharedInstance;

/** Takes the shared instance before the tests of a file. */
export const withSharedInstance = (): void => {
  beforeAll(async () => {
    instance = useInstance(await sharedInstance());
  });
};

/** Opens an instance before the tests of a file, and stops it afterwards. */
export const withOwnInstance = (options: Parameters<typeof ownInstance>[0] = {}): void => {
  let own: OwnInstance | undefined;
  beforeAll(async () => {
    own = await ownInstance(options);
    instance = useInstance(own);
  });
  afterAll(() => own?.stop());
};
