import { lazyImport } from '../api/lazy-import.ts';
import { router } from './router.tsx';

// Of a long one, only the name is shown.
const MOST = 60;

const shown = ([name, value]: readonly [string, string]): string =>
  value.length > MOST ? name : `${name}=${value}`;

/** Shows which query parameters of the first address its screen cannot use, once the router has dropped them. */
export const announceDropped = (): void => {
  const asked = [...new URLSearchParams(location.search)];
  const stop = router.subscribe('onResolved', ({ toLocation: { search } }) => {
    stop();
    const dropped = asked.filter(([name]) => !(name in search));
    if (dropped.length === 0) return;
    void lazyImport(() => import('../components/dialogs/notify.tsx')).then(({ notifyIgnored }) =>
      notifyIgnored(
        `This screen ignores a part of the address that it cannot use: ${dropped.map(shown).join(', ')}.`,
      ),
    );
  });
};
