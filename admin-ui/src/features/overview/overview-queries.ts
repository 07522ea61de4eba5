import { queryOptions } from '@tanstack/react-query';
import { overviewGet } from '../../../../contract/endpoints/overview-get.ts';
import { call, type ReplyOf } from '../../api/client.ts';

export type Overview = ReplyOf<typeof overviewGet>;

export const overviewQuery = (days: number) =>
  queryOptions({
    queryKey: ['overview', days],
    queryFn: ({ signal }) => call(overviewGet, { query: { days }, signal }),
    placeholderData: (earlier) => earlier,
  });
