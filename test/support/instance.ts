import { rmSync } from 'node:fs';
import { type Instance, type InstanceOptions, startInstance } from '../../local/instance.ts';
import { useInstance } from './admin.ts';
import { callsTo, type SharedInstance } from './calls.ts';
import { type Beginning, makeDataFolder } from './data-folder.ts';
import { recordCall } from './iam/recorder.ts';

/** An instance for one test file. */
export interface TestInstance extends Instance, SharedInstance {
  /** Tests may clear it. */
  readonly logs: string[];
}

/**
 * Starts an instance in a folder of its own, which goes with it; without samples unless asked for. It takes seconds:
 * only tests that change the calls to the engine, read the logs or need to be alone with their data are worth one. The
 * others share one (`shared/instance.ts`).
 */
export const openInstance = async (
  options: Partial<InstanceOptions> & Beginning = {},
): Promise<TestInstance> => {
  const dataFolder = options.dataFolder ?? (await makeDataFolder(options));
  const logs: string[] = [];
  const instance = await startInstance({
    port: 0,
    sample: false,
    consumes: 'on-settled',
    onLog: (line) => logs.push(line),
    onCall: recordCall,
    ...options,
    dataFolder,
  });
  return {
    ...instance,
    ...callsTo(instance),
    dataFolder,
    logs,
    stop: async () => {
      await instance.stop();
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
};

/** The instance of this test file, once `withOpenInstance` has opened it. */
export let instance: TestInstance;

/** Opens an instance in the process of the tests before those of a file, and stops it afterwards. */
export const withOpenInstance = (options: Parameters<typeof openInstance>[0] = {}): void => {
  beforeAll(async () => {
    instance = useInstance(await openInstance(options));
  });
  afterAll(() => instance?.stop());
};
