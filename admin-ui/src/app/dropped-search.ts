import { lazyImport } from '../api/lazy-import.ts';
import { router } from './router.tsx';

// A long one is only named.
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
        `This screen cannot use a part of the address and ignores it: ${dropped.map(shown).join(', ')}.`,
      ),
    );
  });
};
