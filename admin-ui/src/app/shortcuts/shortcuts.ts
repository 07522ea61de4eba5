import { useLocalStorage } from '@mantine/hooks';
import { SCREENS } from '../screens.ts';

interface Shortcut {
  /** Pressed one after the other. */
  readonly keys: readonly string[];
  readonly does: string;
}

export const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export const SHORTCUTS: readonly Shortcut[] = [
  ...SCREENS.map(({ title, key }) => ({ keys: ['g', key], does: `Go to ${title}` })),
  { keys: ['/'], does: 'Search the list' },
  { keys: ['n'], does: 'New prompt, secret or API key, on its list' },
  { keys: ['?'], does: 'Show the keyboard shortcuts' },
];

/** Those with a modifier, which work while typing too. */
export const CHORDS: readonly Shortcut[] = [
  { keys: [MOD, 'K'], does: 'Find a screen, prompt, secret or action' },
  { keys: [MOD, 'Enter'], does: 'Review and publish, in the editor' },
  { keys: [MOD, 'F'], does: 'Search the text, in the editor' },
];

/** Whether single keys are shortcuts. Speech input and shaky hands trigger them by accident, so they can be turned off. */
export const useShortcutsEnabled = () =>
  useLocalStorage({
    key: 'cuevault-shortcuts',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
