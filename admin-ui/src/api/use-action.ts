import { useMutation } from '@tanstack/react-query';

/**
 * Runs something on demand, such as a call that changes something, and knows whether it is under way and what it threw
 * last. Nothing of what is sent or returned stays in a cache.
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
