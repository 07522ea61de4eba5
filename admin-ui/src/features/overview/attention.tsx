import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { inTurns } from '../../../../contract/limits.ts';
import { metricsQuery } from '../../api/queries.ts';
import { refusalText } from '../../components/audit/audit-words.ts';
import { counted } from '../../components/count.ts';
import { FirstFew } from '../../components/first-few.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { KeyLink, PromptLink, ReviewRow, SecretLink } from '../../components/layout/review-panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { Small } from '../../components/small.tsx';
import { When } from '../../components/when.tsx';
import type { Overview } from './overview-queries.ts';
import { isDead, refusalsByReason } from './refusals.ts';

const NAMED_ITEMS = 3;

/** The first of some links, and how many more there are. */
const Links = <Item,>({ items, total = items.length, children }: LinksProps<Item>) => (
  <>
    {items.slice(0, NAMED_ITEMS).map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they have the same order until they are replaced
      <Fragment key={index}>
        {index > 0 && ', '}
        {children(item)}
      </Fragment>
    ))}
    {total > NAMED_ITEMS && ` and ${total - NAMED_ITEMS} more`}
  </>
);

interface LinksProps<Item> {
  readonly items: readonly Item[];
  /** How many there are, also those that are not among `items`. */
  readonly total?: number;
  readonly children: (item: Item) => ReactNode;
}

/** What fails for one API key for one reason, with the prompts that it concerns: the first of each key, then the second. */
const failuresIn = ({ failingPrompts }: Overview) => {
  const all = failingPrompts.flatMap(({ failing, ...prompt }) =>
    failing.map((each) => ({ ...each, prompt })),
  );
  const failures = [...Map.groupBy(all, ({ apiKeyId, code, reason }) => `${apiKeyId} ${code} ${reason}`)].map(
    ([id, own]) => ({
      id,
      first: own[0],
      prompts: [...new Map(own.map(({ prompt }) => [prompt.promptId, prompt])).values()],
      calls: own.reduce((sum, { calls }) => sum + calls, 0),
      since: own.map(({ since }) => since).sort()[0] ?? '',
    }),
  );
  return inTurns(failures, ({ first }) => first?.apiKeyId ?? '');
};

const failureRows = (overview: Overview) =>
  failuresIn(overview).map(({ id, first, prompts, calls, since }) => (
    <ReviewRow
      key={id}
      link={
        <>
          <Links items={prompts}>{(prompt) => <PromptLink {...prompt} />}</Links>
          <Small>
            {first?.apiKeyName}: {first?.reason}
          </Small>
        </>
      }
    >
      {/* Served calls are counted exactly. */}
      {first?.code === 'placeholder_left'
        ? `${counted(calls, 'call')} served with gaps`
        : `at least ${counted(calls, 'call')} failed`}
      , first <When at={since} short />
    </ReviewRow>
  ));

type Refusals = ReturnType<typeof refusalsByReason<Overview['refused'][number]>>;

// Applications that are refused may not report it.
const refusalRows = (reasons: Refusals) =>
  reasons.map(({ reason, calls, keys }) => (
    <ReviewRow
      key={reason}
      link={
        <Text span inherit>
          Refused: {refusalText(reason)}
          {keys.length > 0 && ', from '}
          <Links items={keys}>{(key) => <KeyLink {...key} isInText />}</Links>
          {isDead({ reason }) && keys[0] && (
            <Small>
              Something still sends it: {reason === 'expired' && 'rotate it, or '}
              <TextLink
                to="/audit"
                search={{ kind: 'refusal', actor: keys[0].keyId, period: '7' }}
                inherit
                underline="always"
              >
                find out who
              </TextLink>
              .
            </Small>
          )}
        </Text>
      }
    >
      {calls > 0 ? `${counted(calls, 'call')} in 24 hours` : 'in 24 hours'}
    </ReviewRow>
  ));

const keyRow = (fate: string, keys: Overview['unusedKeys']) =>
  keys.length > 0 && (
    <ReviewRow key={fate} link={<Links items={keys}>{(key) => <KeyLink {...key} />}</Links>}>
      {counted(keys.length, 'API key')} {keys.length === 1 ? fate.replace(/^expire/, 'expires') : fate}
    </ReviewRow>
  );

interface Secrets {
  readonly total: number;
  readonly first: Overview['unreadSecrets']['first'];
}

const secretRow = (
  fate: string,
  { total, first }: Secrets,
  search: { readonly rotate?: 'soon' | 'unfinished'; readonly read?: 'no' },
) =>
  total > 0 && (
    <ReviewRow
      key={fate}
      link={
        <Links items={first} total={total}>
          {(secret) => <SecretLink secret={secret} />}
        </Links>
      }
    >
      <TextLink to="/secrets" search={search} inherit underline="always">
        {counted(total, 'secret')} {fate}
      </TextLink>
    </ReviewRow>
  );

/** What needs somebody, by cause; nothing if nothing does. */
export const Attention = (overview: Overview) => {
  const { data, isError } = useQuery(metricsQuery);
  const { refused, expiringKeys, unusedKeys } = overview;
  const [dead, others] = [true, false].map((isFirst) =>
    refusalRows(refusalsByReason(refused, data?.refused).filter((each) => isDead(each) === isFirst)),
  );
  const rows = [
    ...failureRows(overview),
    dead,
    keyRow('expire within 14 days', expiringKeys),
    secretRow('to rotate within 14 days', overview.secretsToRotate, { rotate: 'soon' }),
    secretRow('with an old credential to disable', overview.unfinishedRotations, { rotate: 'unfinished' }),
    others,
    keyRow('not used for 30 days', unusedKeys),
    secretRow('not read for 30 days', overview.unreadSecrets, { read: 'no' }),
  ]
    .flat()
    .filter(Boolean);
  if (rows.length === 0 && !isError) return null;
  return (
    <Panel title="Needs attention" count={rows.length}>
      <FirstFew className="cv-list cv-rows">{rows}</FirstFew>
      {isError && <Small>The number of refused calls could not be read.</Small>}
    </Panel>
  );
};
