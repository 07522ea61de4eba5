import { useMutation } from '@tanstack/react-query';

/**
 * Runs an action on demand, such as a call that changes something, and tracks whether it is running and its last error.
 * Neither input nor result is cached.
 */
export const useAction = (action: () => Promise<unknown>, onError?: (error: unknown) => unknown) =>
  useMutation<void, unknown, void>({
    mutationFn: async () => {
      await action();
    },
    onError: async (error) => {
      await onError?.(error);
    },
    gcTime: 0,
  });
