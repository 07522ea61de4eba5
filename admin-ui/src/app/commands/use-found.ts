import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { keysList } from '../../../../contract/endpoints/api-keys.ts';
import { promptsList } from '../../../../contract/endpoints/prompts.ts';
import { secretsList } from '../../../../contract/endpoints/secrets.ts';
import { replyQuery } from '../../api/queries.ts';
import { matches } from './typed.ts';

const MOST_FOUND = 8;
const PAUSE_MS = 120;

const MORE = { placeholderData: keepPreviousData };

/**
 * The first prompts, secrets and API keys that the service finds for the search text; the last two only if the text is not empty.
 * Until the service answers, its previous results are filtered by name, so that only matches are shown. `failure` is
 * the error of the search.
 */
export const useFound = (typed: string) => {
  const [q] = useDebouncedValue(typed, PAUSE_MS);
  const query = { limit: MOST_FOUND, q };
  const key = (resource: string) => [resource, 'commands', q];
  const enabled = q !== '';
  const prompts = useQuery({ ...replyQuery(key('prompts'), promptsList, { query }), ...MORE });
  const secrets = useQuery({
    ...replyQuery(key('secrets'), secretsList, { query: { environment: '*', ...query } }),
    enabled,
    ...MORE,
  });
  const keys = useQuery({
    ...replyQuery(key('api-keys'), keysList, { query }),
    enabled,
    ...MORE,
  });
  const asked = q === '' ? [prompts] : [prompts, secrets, keys];
  const isOld = q !== typed || asked.some(({ isPlaceholderData }) => isPlaceholderData);
  const fits = (name: string): boolean => !isOld || matches(name, typed);
  return {
    isSearching: isOld || asked.some(({ isPending }) => isPending),
    failure: asked.find(({ isError }) => isError)?.error ?? undefined,
    prompts: (prompts.data?.prompts ?? []).filter(({ name }) => fits(name)),
    keys: typed === '' ? [] : (keys.data?.keys ?? []).filter(({ name }) => fits(name)),
    secrets: typed === '' ? [] : (secrets.data?.secrets ?? []).filter(({ key }) => fits(key)),
  };
};
