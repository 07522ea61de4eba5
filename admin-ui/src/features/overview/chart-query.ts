import { queryOptions } from '@tanstack/react-query';
import { lazyImport } from '../../api/lazy-import.ts';

/** Loads the chart component. Not with `lazy`, which React shows only after 300 ms. */
export const chartQuery = queryOptions({
  queryKey: ['part', 'fetches-chart'],
  queryFn: () => lazyImport(() => import('./fetches-chart.tsx')),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});
