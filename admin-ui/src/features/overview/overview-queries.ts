import { keepPreviousData } from '@tanstack/react-query';
import { overviewGet } from '../../../../contract/endpoints/service.ts';
import type { ReplyOf } from '../../api/client.ts';
import { replyQuery } from '../../api/queries.ts';

export type Overview = ReplyOf<typeof overviewGet>;

export const overviewQuery = (days: number) => ({
  ...replyQuery(['overview', days], overviewGet, { query: { days } }),
  placeholderData: keepPreviousData<Overview>,
});
