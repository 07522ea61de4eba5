import { useEffect, useState } from 'react';

const QUIET_MS = 300;

/** Whether something has been running for more than 300 ms, so that quick actions show no loading indicator. */
export const useLate = (isGoingOn: boolean): boolean => {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return setIsLate(false);
    const timer = setTimeout(() => setIsLate(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isGoingOn]);
  return isLate;
};
