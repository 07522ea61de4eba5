import { mockClient as mock } from 'aws-sdk-client-mock';

/** Replaces `send` of all clients of a class until the test file ends: others in the same process use the real one. */
export const mockClient: typeof mock = (client) => {
  const mocked = mock(client);
  afterAll(() => {
    mocked.restore();
  });
  return mocked;
};
