import { Badge, Box, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import { effectsGet } from '../../../../../contract/endpoints/usage.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { messageOf } from '../../../api/api-error.ts';
import { type CallInput, call, type ReplyOf } from '../../../api/client.ts';
import { FirstFew, KeyLink, Panel, Refreshing, Small, When } from '../../../components/basics.tsx';
import { counted, joined } from '../../../components/locale.ts';
import { inPlace } from '../../../components/prompt-content.ts';
import { ErrorState } from '../../../components/states.tsx';
import { PROMPTS_KEY } from '../prompt-queries.ts';

type Asked = NonNullable<CallInput<typeof effectsGet>['body']>;

/** A change of what callers of a prompt get. */
type PromptChange = Asked['changes'][number];
type AffectedKey = NonNullable<ReplyOf<typeof effectsGet>['affected']>[number];

const PAUSE_MS = 500;

/** What changes would do, asked once typing pauses; until there is an answer, the last one stays. */
export const useEffects = (asked: Asked, enabled = true) => {
  const text = JSON.stringify(asked);
  const [paused] = useDebouncedValue(text, PAUSE_MS, { leading: true });
  const query = useQuery({
    queryKey: [...PROMPTS_KEY, 'effects', paused],
    queryFn: ({ signal }) => call(effectsGet, { body: JSON.parse(paused) as Asked, signal }),
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

const listed = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ');

/** What a change means for callers, as one sentence. */
export const sentenceOf = (change: BreakingChange): string => {
  switch (change.kind) {
    case 'type-changed':
      return change.to === 'chat'
        ? 'The prompt becomes a chat: callers get messages, and JSON as their text.'
        : 'The prompt becomes a text: callers get no messages.';
    case 'variable-added':
      return `New variable ${change.name}: callers must send a value.`;
    case 'variable-removed':
      return `Removed variable ${change.name}: the value that callers send has no effect.`;
    case 'variable-retyped':
      return `Variable ${change.name}: type ${change.to} instead of ${change.from}.`;
    case 'enum-narrowed':
      return change.removed === undefined
        ? `Variable ${change.name}: only the listed values are allowed.`
        : `Variable ${change.name}: no longer allowed: ${listed(change.removed)}.`;
    case 'default-removed':
      return `Variable ${change.name}: no default any more, so callers must send a value.`;
    case 'placeholder-required':
      return `Callers must send the list of messages ${change.name}.`;
    case 'tool-added':
      return `New tool ${change.name}: callers must answer its calls.`;
    case 'tool-removed':
      return `Removed tool ${change.name}: the model no longer calls it.`;
    case 'tool-changed':
      return `Tool ${change.name}: its description or input differs.`;
  }
};

const askedFor = ({ latest, label, version }: Partial<PromptChange>): string =>
  joined(
    [latest && 'the latest version', label && `the label ${label}`, version && `version ${version}`],
    ' or ',
  ) || 'this prompt';

interface ImpactPanelProps {
  effects: Effects;
  /** What will happen to these callers, such as "get 1.2.0 on the next fetch". */
  outcome: string;
}

/** Who is affected by changes: the API keys that fetched within seven days. */
export const ImpactPanel = ({ effects, outcome }: ImpactPanelProps) => {
  const { changes, data, error, isOld, retry } = effects;
  const [first] = changes;
  // In a set, a key can ask for several prompts.
  const isSet = changes.length > 1;
  const asked = `asked${isSet ? ' these prompts' : ''} for ${askedFor(first ?? {})}`;
  const when = `in the last ${LIMITS.inUseDays} days`;
  const keys = error ? undefined : data?.affected;
  const fetches = keys?.reduce((sum, key) => sum + key.fetches, 0) ?? 0;
  const { earlier = [], since } = data ?? {};
  return (
    <Panel title="Who is affected">
      {error && <ErrorState error={error} retry={retry} />}
      <Refreshing when={isOld}>
        {keys && (
          <Text role="status">
            {keys.length === 0
              ? `No API key ${asked} ${when}.`
              : `${counted(keys.length, 'API key')} ${asked} ${when} (${counted(fetches, 'fetch', 'fetches')}) and will ${outcome}.`}
          </Text>
        )}
        <FirstFew className="cv-list cv-rows">
          {(keys ?? []).map((key) => (
            <Box component="li" key={key.apiKeyId} py={4}>
              <Group gap={6}>
                <KeyLink keyId={key.apiKeyId} name={key.apiKeyName} />
                {key.verdict && (
                  <Badge color={VERDICTS[key.verdict].color}>{VERDICTS[key.verdict].word}</Badge>
                )}
              </Group>
              <Facts affected={key} isSet={isSet} />
            </Box>
          ))}
        </FirstFew>
        {since && earlier.length > 0 && (
          <Small mt={4}>
            Before <When at={since} />, {isSet ? 'these prompts were' : 'this prompt was'} also fetched by{' '}
            {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
          </Small>
        )}
      </Refreshing>
    </Panel>
  );
};

/** Who is affected by a change after which callers get an error. */
export const Losing = ({
  change,
  ...panel
}: { change: PromptChange } & Pick<ImpactPanelProps, 'outcome'>) => (
  <ImpactPanel {...panel} effects={useEffects({ changes: [change], affected: true })} />
);

const VERDICTS = {
  breaks: { color: 'brick', word: 'breaks' },
  unknown: { color: 'amber', word: 'may break' },
  works: { color: 'spruce', word: 'works' },
} as const;

const Facts = ({ affected, isSet }: { affected: AffectedKey; isSet: boolean }) => {
  const { asks, fetches, lastAt, unsent, unused, verdict, prompts, isSendingUnknown } = affected;
  const harmed = isSet ? prompts.filter((prompt) => prompt.verdict !== 'works') : [];
  return (
    <>
      <Small>
        asks for {asks.join(', ')}
        {isSet && ` of ${counted(prompts.length, 'prompt')}`} · {counted(fetches, 'fetch', 'fetches')} · last{' '}
        <When at={lastAt} short />
      </Small>
      {unsent.length > 0 && <Small c="amber">sends no value for {unsent.join(', ')}</Small>}
      {unused.length > 0 && <Small>sends a value for {unused.join(', ')}, without effect from now on</Small>}
      {verdict === 'unknown' && unused.length === 0 && (
        <Small>
          {isSendingUnknown
            ? 'compiles the template itself, so which variables it fills in is not known'
            : 'whether it can handle the change is not known'}
        </Small>
      )}
      {harmed.map(({ name, verdict: each }) => (
        <Small key={name} c={each === 'breaks' ? 'amber' : 'dimmed'}>
          {name}: {each && VERDICTS[each].word}
        </Small>
      ))}
    </>
  );
};
