import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** Presses within this time after a reply still belong to the press that sent the call, such as the second of a double click. */
const SAME_PRESS_MS = 400;

/**
 * Runs an action on demand, such as a call that changes something, and tracks whether it is running and its last error.
 * A press while it runs, or right after it, does nothing. Neither input nor result is cached.
 */
export const useAction = (action: () => Promise<unknown>, onError?: (error: unknown) => unknown) => {
  // What is rendered knows of a press only when the next one may have been handled already.
  const isHeld = useRef(false);
  const [isPending, setIsPending] = useState(false);
  const release = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(release.current), []);
  const { mutate, error, reset } = useMutation<void, unknown, void>({
    mutationFn: async () => {
      await action();
    },
    onError: async (error) => {
      await onError?.(error);
    },
    onSettled: () => {
      release.current = setTimeout(() => {
        isHeld.current = false;
        setIsPending(false);
      }, SAME_PRESS_MS);
    },
    gcTime: 0,
  });
  const send = () => {
    if (isHeld.current) return;
    isHeld.current = true;
    setIsPending(true);
    mutate();
  };
  return { mutate: send, isPending, error, reset };
};

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLTextAreaElement);

/** Lets Enter, when it is held, only repeat line breaks: what one press has opened is not sent by its repetitions. */
export const holdEnter = (): void =>
  addEventListener(
    'keydown',
    (event) => {
      const isTyping = isWritten(event.target) && !event.ctrlKey && !event.metaKey;
      if (event.key !== 'Enter' || !event.repeat || isTyping) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
