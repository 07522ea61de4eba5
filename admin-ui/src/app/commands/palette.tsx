import { Text } from '@mantine/core';
import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { lazyOr } from '../../api/lazy-import.ts';
import type { CommandsProps } from './commands.tsx';
import classes from './palette.module.css';
import { LIST_ID } from './typed.ts';

const Commands = lazyOr<CommandsProps>(
  async () => (await import('./commands.tsx')).Commands,
  (error) => () => (
    <Text role="alert" p="md">
      {messageOf(error)}
    </Text>
  ),
);

/** The command palette. Its field is in the frame: it takes each key from the first on, while the results load. */
export const Palette = ({ onClose }: Pick<CommandsProps, 'onClose'>) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const keys = useRef<(key: string) => void>(undefined);
  const [typed, setTyped] = useState('');
  const [entered, setEntered] = useState(0);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      className={classes.palette}
      aria-label="Go to"
      onCancel={onClose}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <input
        ref={field}
        className={classes.field}
        placeholder="Screen, prompt, secret or API key"
        role="combobox"
        aria-label="Go to a screen, prompt, secret or API key"
        aria-autocomplete="list"
        aria-controls={LIST_ID}
        aria-expanded={false}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setEntered(0);
        }}
        onKeyDown={({ key, nativeEvent }) => {
          if (nativeEvent.isComposing) return;
          if (key === 'Enter') setEntered(entered + 1);
          else keys.current?.(key);
        }}
      />
      <Suspense>
        <Commands {...{ field, keys, typed, entered, onClose }} />
      </Suspense>
    </dialog>
  );
};
