import {
  Anchor,
  type AnchorProps,
  Badge,
  Box,
  type BoxProps,
  Button,
  type ButtonProps,
  Group,
  type GroupProps,
  Loader,
  Paper,
  SimpleGrid,
  Text,
  Title,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type ComponentPropsWithRef, Fragment, type ReactNode, useId, useState } from 'react';
import { visible } from '../../../contract/content/visible.ts';
import { EnvironmentMark, type SecretRef, secretPage } from './environments.tsx';
import type { Failure, failuresByCause } from './failures.ts';
import { Icon } from './icons.tsx';
import { counted, DATE, daysSince, inDigits, LOCALE, relative } from './locale.ts';
import { useLate } from './states.tsx';

/** Tags in a row; beyond the first few, only their number. */
export const Tags = ({ tags, shown }: { tags: readonly string[]; shown: number }) => (
  <Group gap={4}>
    {tags.slice(0, shown).map((tag) => (
      <Badge key={tag} color="gray" maw={180} title={visible(tag)}>
        {visible(tag)}
      </Badge>
    ))}
    {tags.length > shown && (
      <Badge color="gray" variant="outline" title={visible(tags.slice(shown).join(', '))}>
        +{tags.length - shown}
      </Badge>
    )}
  </Group>
);

const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const TO_THE_SECOND = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
/** The date of a time in ISO 8601, in the local time zone. */
export const dateOf = (at: string): string => DATE.format(new Date(at));

interface WhenProps {
  /** ISO 8601. */
  at: string;
  /** Says how long ago it was, or the date after a week. */
  short?: boolean;
  /** Shows the seconds. */
  seconds?: boolean;
}

/** A point in time in the local time zone, with full details and UTC on hover. */
export const When = ({ at, short, seconds }: WhenProps) => {
  const time = new Date(at);
  const utc = `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const full = (seconds ? TO_THE_SECOND : DATE_TIME).format(time);
  const shown = short ? relative(time, new Date()) : full;
  return (
    <time dateTime={at} title={shown === full ? utc : `${full} — ${utc}`} style={{ whiteSpace: 'nowrap' }}>
      {shown}
    </time>
  );
};

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day, `YYYY-MM-DD`. */
export const DayText = ({ day }: { day: string }) => (
  <time dateTime={day} style={{ whiteSpace: 'nowrap' }}>
    {DAY.format(new Date(day))}
  </time>
);

/** Whether something is less than 30 days old, so that "not in 30 days" would be misleading. */
export const isNew = (createdAt: string): boolean => daysSince(createdAt) < 30;

/** Secondary text. */
export const Muted = Text.withProps({ c: 'dimmed' });

/** Small secondary text, such as the second line of a cell. */
export const Small = Text.withProps({ size: 'xs', c: 'dimmed' });

/** A button in a row or in the head of a panel. */
export const RowButton = Button.withProps({ size: 'compact-xs', variant: 'default' });

/** An item of a list with lines between the items. */
export const Row = (props: GroupProps) => (
  <Group component="li" gap="0.75rem" py="0.5rem" fz="sm" wrap="nowrap" {...props} />
);

/** A panel with a list. */
export const ReviewPanel = ({ children, ...panel }: PanelProps) => (
  <Panel {...panel}>
    <ul className="cv-list cv-rows">{children}</ul>
  </Panel>
);

interface ReviewRowProps {
  link: ReactNode;
  /** What it is about, as a second line. */
  of?: ReactNode;
  children?: ReactNode;
}

/** An item of a list, with what is said of it at the right. */
export const ReviewRow = ({ link, of, children }: ReviewRowProps) => (
  <Row align="baseline" py="0.36rem" wrap="wrap" style={{ rowGap: 0 }}>
    <span className="cv-grow" style={{ flexBasis: '14rem' }}>
      {link}
      {/* The centers of links in both lines are at least 24 pixels apart. */}
      {of && <Small mt={6}>{of}</Small>}
    </span>
    {children && (
      <Small span ta="right">
        {children}
      </Small>
    )}
  </Row>
);

/** The page of a prompt. */
export const promptPage = (promptId: string, title?: string) =>
  ({ to: '/prompts/$promptId', params: { promptId }, state: { title } }) as const;

/** The page of an API key. */
export const keyPage = (keyId: string, title?: string) =>
  ({ to: '/api-keys/$keyId', params: { keyId }, state: { title } }) as const;

const NAMED_ITEMS = 3;

/** The first of some links, and how many more there are. */
export const Links = <Item,>({ items, total = items.length, children }: LinksProps<Item>) => (
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
  items: readonly Item[];
  /** How many there are, also those that are not among `items`. */
  total?: number;
  children: (item: Item) => ReactNode;
}

type FailureRowProps = ReturnType<typeof failuresByCause<Failure & { readonly lastAt: string }>>[number] & {
  /** Whose calls they are, or what they asked for. */
  readonly by: string | undefined;
};

/** The failing calls of one cause. */
export const FailureRow = ({ by, prompts, text, isServed, calls, failures }: FailureRowProps) => {
  const times = failures.map(({ lastAt }) => lastAt).sort();
  return (
    <ReviewRow
      link={`${by}: ${text}`}
      of={<Links items={prompts}>{(prompt) => <PromptLink {...prompt} />}</Links>}
    >
      {/* Served calls are counted exactly. */}
      <Text span inherit c={isServed ? 'amber' : 'brick'}>
        {isServed
          ? `${counted(calls, 'call')} served with gaps`
          : `at least ${counted(calls, 'call')} failed`}
      </Text>
      , last <When at={times.at(-1) ?? ''} short />
    </ReviewRow>
  );
};

export const PromptLink = ({ promptId, name }: { promptId: string; name: string }) => (
  <TextLink {...promptPage(promptId, name)}>{name}</TextLink>
);

export const KeyLink = ({ keyId, name }: { keyId: string; name: string }) => (
  <TextLink {...keyPage(keyId, name)}>{name}</TextLink>
);

/** A secret, and its environment if there are several. */
export const SecretLink = ({ secret }: { readonly secret: SecretRef & { readonly key: string } }) => (
  <span className="cv-marked">
    <TextLink {...secretPage(secret)} className="cv-mono">
      {secret.key}
    </TextLink>
    <EnvironmentMark name={secret.environment} />
  </span>
);

export type Native<Props> = Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const TextLink = createLink((props: AnchorProps & Native<AnchorProps>) => <Anchor {...props} />);

export const ButtonLink = createLink((props: ButtonProps & Native<ButtonProps>) => (
  <Button component="a" {...props} />
));

interface AuditLinksProps {
  /** What each link says, and the entries that it leads to. */
  of: Readonly<
    Record<string, { readonly kind?: 'change' | 'read' | 'refusal'; subject?: string; actor?: string }>
  >;
}

/** Links to entries of the audit log. */
export const AuditLinks = ({ of }: AuditLinksProps) => (
  <Links items={Object.entries(of)}>
    {([name, search]) => (
      <TextLink to="/audit" search={search}>
        {name}
      </TextLink>
    )}
  </Links>
);

const GRID = { gridTemplateColumns: '6.5rem minmax(0, 1fr)', gap: '0.45rem 0.75rem' };

/** Names with what is known about each; undefined shows as `none`. */
export const Facts = ({ of }: { of: Readonly<Record<string, ReactNode>> }) => (
  <Box component="dl" display="grid" m={0} fz="sm" style={GRID}>
    {Object.entries(of).map(([name, value]) => (
      <Fragment key={name}>
        <Muted component="dt" inherit>
          {name}
        </Muted>
        <Text component="dd" inherit m={0} {...(value === undefined && { c: 'dimmed' })}>
          {value ?? 'none'}
        </Text>
      </Fragment>
    ))}
  </Box>
);

/** Shows that the content is about to be replaced, if that takes more than 300 ms. */
export const Refreshing = ({ when, children }: { when: boolean; children: ReactNode }) => {
  const shown = useLate(when);
  return (
    <Box pos="relative" aria-busy={when}>
      {shown && (
        <Loader
          size="sm"
          pos="absolute"
          top="0.55rem"
          right="0.75rem"
          style={{ zIndex: 1 }}
          aria-label="Loading"
        />
      )}
      <Box {...(shown && { opacity: 0.55 })}>{children}</Box>
    </Box>
  );
};

const SHOWN = 5;

/** The first items of a list, and a button that shows the others. */
export const FirstFew = ({ children, ...look }: BoxProps & { readonly children: readonly ReactNode[] }) => {
  const [all, setAll] = useState(false);
  return (
    <>
      <Box component="ul" {...look}>
        {all ? children : children.slice(0, SHOWN)}
      </Box>
      {children.length > SHOWN && !all && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          Show all {children.length}
        </Button>
      )}
    </>
  );
};

/** A step of a list. */
export const Step = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => (
  <Row align="flex-start">
    <Icon
      name={isDone ? 'circle-check' : 'circle'}
      size={18}
      label={isDone ? 'Done' : 'To do'}
      color={isDone ? 'var(--mantine-color-spruce-text)' : 'var(--mantine-color-dimmed)'}
      style={{ flexShrink: 0 }}
    />
    <div className="cv-grow">{children}</div>
  </Row>
);

/** A surface with a border. */
export const Framed = Paper.withProps({ bd: '1px solid var(--cv-line)' });

const STICKY: GroupProps = {
  pos: 'sticky' as const,
  top: { base: '3rem', sm: 0 },
  style: { zIndex: 2 },
  py: '0.4rem',
  bg: 'var(--mantine-color-body)',
};

interface PanelProps {
  title: ReactNode;
  count?: number | undefined;
  actions?: ReactNode;
  /** Whether the title stays visible while the page scrolls. */
  sticky?: boolean;
  /** A sentence in place of the content if there is none. */
  nothing?: string | false;
  children: ReactNode;
}

export const Panel = ({ title, count, actions, sticky, nothing, children }: PanelProps) => {
  const id = useId();
  return (
    <Framed component="section" p="0.75rem 0.9rem 0.9rem" miw={0} aria-labelledby={id}>
      <Group justify="space-between" mih="1.9rem" mb="0.5rem" {...(sticky && STICKY)}>
        <Group>
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {count !== undefined && <Badge color="gray">{inDigits(count)}</Badge>}
        </Group>
        {actions && <Group>{actions}</Group>}
      </Group>
      {nothing ? <Muted>{nothing}</Muted> : children}
    </Framed>
  );
};

/** Two panels beside each other, or one above the other in narrow windows. */
export const Columns = SimpleGrid.withProps({ cols: { base: 1, md: 2 }, style: { alignItems: 'start' } });

interface PartProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a panel or a dialog with its own title. */
export const Part = ({ title, action, children }: PartProps) => (
  <div>
    <Group justify="space-between" mb={4}>
      <Title order={3}>{title}</Title>
      {action}
    </Group>
    {children}
  </div>
);
