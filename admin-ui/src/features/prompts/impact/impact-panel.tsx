import { Badge, Box, Group, Text } from '@mantine/core';
import { LIMITS } from '../../../../../contract/limits.ts';
import { FirstFew, Panel, Refreshing } from '../../../components/layout/panel.tsx';
import { keyPage, TextLink } from '../../../components/link.tsx';
import { counted } from '../../../components/locale.ts';
import { Small, When } from '../../../components/small.tsx';
import { ErrorState } from '../../../components/states.tsx';
import { type AffectedKey, type Effects, type PromptChange, useEffects } from './effects.ts';

const askedFor = ({ latest, label, version }: Partial<PromptChange>): string =>
  [
    ...(latest ? ['the latest version'] : []),
    ...(label ? [`the label ${label}`] : []),
    ...(version ? [`version ${version}`] : []),
  ].join(' or ') || 'this prompt';

interface ImpactPanelProps {
  readonly effects: Effects;
  /** What will happen to these callers, such as "get 1.2.0 on the next fetch". */
  readonly outcome: string;
  /** Whether the changes are those of a set, in which a key can ask for several prompts. @default false */
  readonly isSet?: boolean;
}

/** Who is affected by changes: the API keys that fetched within seven days. */
export const ImpactPanel = ({ effects, outcome, isSet = false }: ImpactPanelProps) => {
  const { changes, data, error, isOld, retry } = effects;
  const [first] = changes;
  const asked = `asked${isSet ? ' these prompts' : ''} for ${askedFor(first ?? {})}`;
  const when = `in the last ${LIMITS.inUseDays} days`;
  const keys = error ? undefined : data?.affected;
  const fetches = keys?.reduce((sum, key) => sum + key.fetches, 0) ?? 0;
  const { earlier = [], since } = data ?? {};
  return (
    <Panel title="Who is affected">
      {error && <ErrorState error={error} retry={retry} />}
      <Refreshing when={isOld}>
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
                    ? keyPage(key.apiKeyId)
                    : {
                        to: '/prompts/$promptId/usage',
                        params: { promptId: first?.promptId ?? '' },
                        search: { key: key.apiKeyId },
                      })}
                  className="cv-break"
                >
                  {key.apiKeyName}
                </TextLink>
                {key.verdict && <Badge color={VERDICT_COLORS[key.verdict]}>{key.verdict}</Badge>}
              </Group>
              <Facts affected={key} isSet={isSet} />
            </Box>
          ))}
        </FirstFew>
        {since && earlier.length > 0 && (
          <Small mt={4} className="cv-break">
            Before <When at={since} />, {isSet ? 'these prompts were' : 'this prompt was'} also fetched by{' '}
            {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
          </Small>
        )}
      </Refreshing>
    </Panel>
  );
};

/** The same for a change after which callers get an error. */
export const Losing = ({
  change,
  ...panel
}: { change: PromptChange } & Pick<ImpactPanelProps, 'outcome'>) => (
  <ImpactPanel {...panel} effects={useEffects({ changes: [change], affected: true })} />
);

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
