import { useEffect, useState } from 'react';

const QUIET_MS = 300;

/** Whether something has been going on for more than 300 ms, so that what is quick shows no sign of waiting. */
export const useLate = (isGoingOn: boolean): boolean => {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return setIsLate(false);
    const timer = setTimeout(() => setIsLate(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isGoingOn]);
  return isLate;
};
