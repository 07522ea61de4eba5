import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusTitle } from '../../components/layout/page-title.tsx';

/** Moves the focus to the title of each new screen, because the followed link may no longer exist. */
export const useTitleFocus = (): void => {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged) focusTitle();
      }),
    [router],
  );
};
