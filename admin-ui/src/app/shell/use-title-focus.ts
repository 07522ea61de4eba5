import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CONTENT_ID } from '../../components/layout/page-title.tsx';

const focusTitle = (): void => {
  const content = document.getElementById(CONTENT_ID);
  if (content === null || content.contains(document.activeElement)) return;
  (content.querySelector('h1') ?? content).focus({ preventScroll: true });
};

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
