import { Badge, Box, Group, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { FirstFew } from '../../../components/first-few.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { Refreshing } from '../../../components/layout/refreshing.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Small } from '../../../components/small.tsx';
import { ErrorState } from '../../../components/states.tsx';
import { When } from '../../../components/when.tsx';
import { callersQuery } from '../prompt-queries.ts';
import { type AffectedKey, affectedKeys, type Callers, harmOf, type Scope, type Touched } from './impact.ts';

/** A change of what callers of a prompt get. */
export interface PromptChange extends Touched {
  readonly promptId: string;
}

/** Whom changes affect: the API keys that fetched within seven days, undefined until they are read, and how many break. */
export const useImpact = (changes: readonly PromptChange[]) => {
  const results = useQueries({ queries: changes.map(({ promptId }) => callersQuery(promptId)) });
  const found = results.flatMap(({ data }) => data ?? []);
  const touched = changes.map((change, index) => ({ ...change, callers: found[index]?.callers ?? [] }));
  const keys = found.length === changes.length ? affectedKeys(touched) : undefined;
  const failed = results.find(({ error, data }) => error !== null && data === undefined);
  return { keys, found, failed, danger: keys && harmOf(keys) };
};

const nameOf = (scope: Scope): string => {
  if (scope.kind === 'prompt') return 'this prompt';
  if (scope.kind === 'latest') return 'the latest version';
  return scope.kind === 'label' ? `the label ${scope.label}` : `version ${scope.version}`;
};

interface ImpactPanelProps {
  readonly changes: readonly PromptChange[];
  /** What will happen to these callers, such as "get 1.2.0 on the next fetch". */
  readonly outcome: string;
  /** Whether the changes are those of a set, in which a key can ask for several prompts. @default false */
  readonly isSet?: boolean;
  /** Whether the changes are about to be replaced. @default false */
  readonly isOld?: boolean;
}

/** Who is affected by changes: the API keys that fetched within seven days. */
export const ImpactPanel = ({ changes, outcome, isSet = false, isOld = false }: ImpactPanelProps) => {
  const { keys, found, failed } = useImpact(changes);
  const [first] = changes;
  const asked = `asked${isSet ? ' these prompts' : ''} for ${first?.scopes.map(nameOf).join(' or ')}`;
  const when = `in the last ${LIMITS.inUseDays} days`;
  const fetches = keys?.reduce((sum, key) => sum + key.fetches, 0) ?? 0;
  return (
    <Panel title="Who is affected">
      {failed && <ErrorState error={failed.error} retry={() => void failed.refetch()} />}
      <Refreshing when={isOld || (!keys && !failed)}>
        {keys?.length === 0 && (
          <Text c="dimmed" role="status">
            No API key {asked} {when}.
          </Text>
        )}
        {keys && keys.length > 0 && (
          <Text role="status">
            {counted(keys.length, 'API key')} {asked} {when} ({counted(fetches, 'fetch', 'fetches')}) and will{' '}
            {outcome}.
          </Text>
        )}
        <FirstFew className="cv-list cv-rows">
          {(keys ?? []).map((key) => (
            <Box component="li" key={key.apiKeyId} py={4}>
              <Group gap={6}>
                <TextLink
                  {...(isSet
                    ? { to: '/api-keys/$keyId', params: { keyId: key.apiKeyId } }
                    : {
                        to: '/prompts/$promptId/usage',
                        params: { promptId: first?.promptId ?? '' },
                        search: { key: key.apiKeyId },
                      })}
                  size="sm"
                  className="cv-break"
                >
                  {key.apiKeyName}
                </TextLink>
                {changes.every((change) => change.changes) && (
                  <Badge color={VERDICT_COLORS[key.verdict]}>{key.verdict}</Badge>
                )}
              </Group>
              <Facts affected={key} isSet={isSet} />
            </Box>
          ))}
        </FirstFew>
        {!isSet && found.map((each) => <EarlierKeys key={each.since} {...each} />)}
      </Refreshing>
    </Panel>
  );
};

const VERDICT_COLORS = { breaks: 'brick', unknown: 'amber', works: 'spruce' } as const;

const Facts = ({ affected, isSet }: { affected: AffectedKey; isSet: boolean }) => {
  const { asks, fetches, lastAt, unsent, unused, verdict, prompts, isSendingUnknown } = affected;
  const harmed = isSet ? prompts.filter((prompt) => prompt.verdict !== 'works') : [];
  return (
    <>
      <Small className="cv-break">
        asks for {asks.join(', ')}
        {isSet && ` of ${counted(prompts.length, 'prompt')}`} · {counted(fetches, 'fetch', 'fetches')} · last{' '}
        <When at={lastAt} short />
      </Small>
      {unsent.length > 0 && (
        <Text size="xs" c="amber">
          sends no value for {unsent.join(', ')}
        </Text>
      )}
      {unused.length > 0 && <Small>sends a value for {unused.join(', ')}, without effect from now on</Small>}
      {verdict === 'unknown' && unused.length === 0 && (
        <Small>
          {isSendingUnknown
            ? 'compiles the template itself, so which variables it fills in is not known'
            : 'whether it can handle the change is not known'}
        </Small>
      )}
      {harmed.map(({ name, verdict: each }) => (
        <Text key={name} size="xs" c={each === 'breaks' ? 'amber' : 'dimmed'} className="cv-break">
          {name}: {each}
        </Text>
      ))}
    </>
  );
};

/** The API keys whose fetches are older than the entries read. */
const EarlierKeys = ({ earlier, since }: Callers) =>
  earlier.length === 0 ? null : (
    <Small mt={4} className="cv-break">
      Before <When at={since} />, this prompt was also fetched by{' '}
      {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
    </Small>
  );
