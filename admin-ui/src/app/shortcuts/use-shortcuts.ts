import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { lazyImport } from '../../api/lazy-import.ts';
import { SCREENS } from '../screens.ts';
import { useShortcutsEnabled } from './shortcuts.ts';

/** Shows the keyboard shortcuts. */
export const openShortcuts = (): Promise<void> =>
  lazyImport(() => import('./shortcuts-dialog.tsx')).then((loaded) => loaded.openShortcuts());

const FIRST = 'g';
// Here, keys are text, or choose an item.
const TYPING =
  'input, textarea, select, [role=dialog], [role=menu], [role=listbox], [role=combobox], [role=tree]';

const isText = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(TYPING) !== null);

const isPlain = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented);

const find = <Found extends HTMLElement>(selector: string): Found | null =>
  document.querySelector<Found>(`main ${selector}`);

const run = (key: string): boolean => {
  const search = find<HTMLInputElement>('input[type=search]');
  const add = find('[data-shortcut=n]');
  if (key === '?') void openShortcuts();
  else if (key === '/' && search !== null) search.select();
  else if (key === 'n' && add !== null) add.click();
  else return false;
  return true;
};

/** Listens to the shortcuts of single keys. */
export const useShortcuts = (): void => {
  const navigate = useNavigate();
  const [enabled] = useShortcutsEnabled();
  useEffect(() => {
    if (!enabled) return;
    let before = '';
    const onKeyDown = (event: KeyboardEvent) => {
      const first = before;
      before = '';
      if (!isPlain(event) || isText(event)) return;
      const screen = first === FIRST ? SCREENS.find(({ key }) => key === event.key) : undefined;
      if (screen !== undefined) void navigate({ to: screen.to });
      else if (!run(event.key)) {
        before = event.key;
        return;
      }
      // The key must not be typed into what has the focus now.
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [enabled, navigate]);
};
