import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import { effectsGet } from '../../../../../contract/endpoints/usage.ts';
import { messageOf } from '../../../api/api-error.ts';
import type { CallInput, ReplyOf } from '../../../api/client.ts';
import { replyQuery } from '../../../api/queries.ts';
import { inPlace } from '../../../components/prompt-content.ts';
import { PROMPTS_KEY } from '../prompt-queries.ts';

type Asked = NonNullable<CallInput<typeof effectsGet>['body']>;

/** A change of what callers of a prompt get. */
export type PromptChange = Asked['changes'][number];
export type AffectedKey = NonNullable<ReplyOf<typeof effectsGet>['affected']>[number];

const PAUSE_MS = 500;

/** What changes would do, asked once typing pauses; until there is an answer, the last one stays. */
export const useEffects = (asked: Asked, enabled = true) => {
  const text = JSON.stringify(asked);
  const [paused] = useDebouncedValue(text, PAUSE_MS, { leading: true });
  const body = JSON.parse(paused) as Asked;
  const query = useQuery({
    ...replyQuery([...PROMPTS_KEY, 'effects', paused], effectsGet, { body }),
    placeholderData: keepPreviousData,
    enabled,
  });
  const { data, error, isPlaceholderData, isPending, refetch } = query;
  const broken = data?.affected?.filter(({ verdict }) => verdict === 'breaks').length ?? 0;
  return {
    changes: asked.changes,
    data,
    error,
    /** Why the content cannot be published, or why that is not known. */
    problem: error === null || !enabled ? undefined : messageOf(error),
    /** Whether the answer is to something else, or there is none. */
    isOld: enabled && !error && (paused !== text || isPlaceholderData || isPending),
    retry: () => void refetch(),
    /** How many callers break, as the sentence that a dangerous button needs above it. */
    danger: broken > 0 ? `This breaks ${broken} of ${data?.affected?.length} callers.` : undefined,
  };
};

export type Effects = ReturnType<typeof useEffects>;

/** What can break the callers of a change. */
export const breakingOf = ({ data }: Effects, index = 0): readonly BreakingChange[] =>
  (data?.changes[index]?.breaking ?? []) as unknown as readonly BreakingChange[];

/** A content with its fragments in place; undefined as long as they are not known. */
export const expandedBy = (
  { data, error }: Pick<Effects, 'data' | 'error'>,
  written: Content,
): Content | undefined => {
  if (!written.includes?.length) return written;
  return error || data?.expanded === undefined
    ? undefined
    : inPlace(written, data.expanded, data.expandedVariables);
};
