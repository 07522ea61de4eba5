import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { counted, times } from '../../components/count.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { PromptLink, ReviewPanel, ReviewRow, SecretLink } from '../../components/layout/review-panel.tsx';
import { inDigits } from '../../components/locale.ts';
import { Small } from '../../components/small.tsx';
import { When } from '../../components/when.tsx';
import type { KeyDetails } from './key-queries.ts';

const within = ({ key: { revokedAt } }: KeyDetails): string =>
  revokedAt === undefined ? 'in 30 days' : 'in the 30 days before';

const Often = ({ count, lastAt }: { count: number; lastAt: string }) => (
  <>
    {times(count)}, last <When at={lastAt} short />
  </>
);

/** Rows that are shown one by one; more of them become groups. */
const SINGLE_ROWS = 8;
interface GroupedProps<Item> {
  readonly what: 'prompt' | 'secret';
  readonly title: string;
  readonly items: readonly Item[];
  readonly unread: KeyDetails['prompts']['unread'];
  readonly groupOf: (item: Item) => string;
  /** What is said of a group besides how many it has. */
  readonly titleOf: (items: readonly [Item, ...Item[]]) => ReactNode;
  readonly children: (item: Item) => ReactNode;
}

/** What a key read, in groups if it is much, and what it never read although it may. */
const Grouped = <Item,>({ what, title, items, unread, groupOf, titleOf, children }: GroupedProps<Item>) => (
  <Panel
    title={title}
    count={items.length}
    nothing={items.length + unread.total === 0 && `It read no ${what}.`}
  >
    {items.length <= SINGLE_ROWS ? (
      <ul className="cv-list cv-rows">{items.map(children)}</ul>
    ) : (
      [...Map.groupBy(items, groupOf)].map(([group, [first, ...others]]) =>
        first === undefined ? null : (
          <details key={group}>
            <summary>
              {titleOf([first, ...others])} <Small span>{counted(others.length + 1, what)}</Small>
            </summary>
            <ul className="cv-list cv-rows">{[first, ...others].map(children)}</ul>
          </details>
        ),
      )
    )}
    {unread.total > 0 && (
      <Small mt="sm" className="cv-break">
        It may read {counted(unread.total, what)} that it did not: {unread.first.join(', ')}
        {unread.total > unread.first.length && ` and ${inDigits(unread.total - unread.first.length)} more`}.
      </Small>
    )}
  </Panel>
);

const folderOf = ({ name }: { readonly name: string }): string => name.slice(0, name.lastIndexOf('/') + 1);

/** The prompts that a key fetched, by folder. */
export const Fetched = ({ details }: { readonly details: KeyDetails }) => (
  <Grouped
    what="prompt"
    title={`Prompts fetched ${within(details)}`}
    items={details.fetched}
    unread={details.prompts.unread}
    groupOf={folderOf}
    titleOf={([first]) => folderOf(first) || 'In no folder'}
  >
    {({ promptId, name, fetches, lastAt }) => (
      <ReviewRow key={promptId} link={<PromptLink {...{ promptId, name }} />}>
        <Often count={fetches} lastAt={lastAt} />
      </ReviewRow>
    )}
  </Grouped>
);

/** The secrets that a key read; those that the same calls returned belong together. */
export const Read = ({ details }: { readonly details: KeyDetails }) => (
  <Grouped
    what="secret"
    title={`Secrets read ${within(details)}`}
    items={details.read}
    unread={details.secrets.unread}
    groupOf={({ reads, lastAt }) => `${reads} ${lastAt}`}
    titleOf={([{ reads, lastAt }]) => <Often count={reads} lastAt={lastAt} />}
  >
    {(secret) => (
      <ReviewRow key={secret.secretId} link={<SecretLink secret={secret} />}>
        <Often count={secret.reads} lastAt={secret.lastAt} />
      </ReviewRow>
    )}
  </Grouped>
);

interface RotateReadProps {
  readonly read: KeyDetails['read'];
  /** When the key was revoked. */
  readonly since: string;
}

/** The secrets that whoever had a revoked key may still know, until each has a new value. */
export const RotateRead = ({ read, since }: RotateReadProps) => {
  const left = read.filter(({ known }) => known);
  if (read.length === 0) return null;
  if (left.length === 0)
    return (
      <Alert color="spruce" title="All of its secrets are rotated">
        {counted(read.length, 'secret')} that it had read got a new value after it was revoked.
      </Alert>
    );
  const done = read.length - left.length;
  return (
    <ReviewPanel title={`Rotate ${counted(left.length, 'secret')}`} count={left.length}>
      <li>
        <Text mb="xs">
          Whoever had the key may know these values. {done} of {counted(read.length, 'secret')} rotated since
          it was revoked <When at={since} short />.
        </Text>
      </li>
      {left.map((secret) => (
        <ReviewRow key={secret.secretId} link={<SecretLink secret={secret} />}>
          read <When at={secret.lastAt} short />
        </ReviewRow>
      ))}
    </ReviewPanel>
  );
};
