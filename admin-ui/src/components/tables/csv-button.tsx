import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { notifyFailure } from '../dialogs.tsx';
import { download } from '../download.ts';
import { inDigits } from '../locale.ts';
import { toCsv } from './csv.ts';

export interface CsvButtonProps {
  fileName: string;
  /** The properties of the rows. */
  columns: readonly string[];
  /** Reads every row, reports the count so far, and stops on the signal. */
  read: (onCount: (count: number) => void, signal: AbortSignal) => Promise<readonly object[]>;
}

/** Downloads rows as CSV. While rows are read, it shows the progress and can stop. */
export const CsvButton = ({ fileName, columns, read }: CsvButtonProps) => {
  const reading = useRef<AbortController>(undefined);
  const [count, setCount] = useState<number>();
  useEffect(() => () => reading.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    reading.current = controller;
    setCount(0);
    try {
      const csv = toCsv(columns, await read(setCount, controller.signal));
      download(fileName, 'text/csv;charset=utf-8', `\ufeff${csv}`);
    } catch (error) {
      if (!controller.signal.aborted) notifyFailure(error);
    } finally {
      setCount(undefined);
    }
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => (count === undefined ? void start() : reading.current?.abort())}
    >
      {count === undefined ? 'CSV' : `${inDigits(count)} read · stop`}
    </Button>
  );
};
