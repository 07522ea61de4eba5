import { queryOptions } from '@tanstack/react-query';
import { lazyImport } from '../../api/lazy-import.ts';

/** The part of the site that draws the chart. Not by `lazy`, whose first showing React holds back for 300 ms. */
export const chartQuery = queryOptions({
  queryKey: ['part', 'fetches-chart'],
  queryFn: () => lazyImport(() => import('./fetches-chart.tsx')),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});
