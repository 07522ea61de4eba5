import { Alert, Group, Menu, Text } from '@mantine/core';
import { Fragment } from 'react';
import { liveVersion } from '../../../../../contract/content/live.ts';
import { useRole } from '../../../api/session-context.tsx';
import { keyPage, TextLink } from '../../../components/link.tsx';
import { counted } from '../../../components/locale.ts';
import { MenuRefusal, MoreMenu } from '../../../components/more-menu.tsx';
import { RowButton, Small, When } from '../../../components/small.tsx';
import type { Prompt, PromptDetails } from '../prompt-queries.ts';
import { CompareLink, LabelBadge, useProtection, VersionLink } from './label-badge.tsx';
import {
  BackButton,
  confirmRemoval,
  NOT_COVERED,
  openHistory,
  openLabelForm,
  openProtection,
} from './label-dialogs.tsx';
import { productionFirst } from './label-names.ts';

type LiveProps = Pick<PromptDetails, 'prompt' | 'moves'>;

/** What each label serves now, since when, and the ways to change it. */
export const LiveStrip = ({ prompt, moves }: LiveProps) => {
  const { can } = useRole();
  const { isProtected, mayMove } = useProtection();
  const { promptId, labels, latest } = prompt;
  const live = liveVersion(prompt);
  const sorted = productionFirst(labels);
  const [first] = sorted;
  return (
    <Group component="section" aria-label="What is live" gap="0.6rem 1.5rem" mb="md" align="flex-start">
      <Text fw={600} lh="30px">
        Live
      </Text>
      <Group component="ul" className="cv-list" gap="0.6rem 1.5rem" align="flex-start">
        {sorted.map((entry) => (
          <LabelEntry key={entry.label} {...{ ...entry, prompt, moves }} />
        ))}
        <Group component="li" gap={4} mih={30}>
          <LabelBadge label="latest" />
          <VersionLink version={latest} label="latest" />
        </Group>
      </Group>
      <Group mih={30}>
        {live !== latest && (
          <CompareLink {...{ promptId, from: live, to: latest }}>
            Compare {live} with {latest}
          </CompareLink>
        )}
        {first && prompt.versions > 1 && mayMove(first.label) && (
          <RowButton onClick={() => openLabelForm({ promptId, label: first.label })}>
            Move {first.label}
          </RowButton>
        )}
        {can('editor') && <RowButton onClick={() => openLabelForm({ promptId })}>Set a label</RowButton>}
      </Group>
      {labels.some(({ label }) => isProtected(label)) && (
        <Small w="100%">Only administrators move a protected label. {NOT_COVERED}</Small>
      )}
    </Group>
  );
};

const LabelEntry = ({ label, version, prompt, moves }: LiveProps & Prompt['labels'][number]) => {
  const { can } = useRole();
  const { isProtected, refusalOf } = useProtection();
  const { promptId } = prompt;
  const refusal = refusalOf(label);
  const last = moves.find((move) => move.label === label);
  return (
    <li>
      <Group gap={4} wrap="nowrap">
        <LabelBadge label={label} />
        <VersionLink version={version} label={label} />
        <MoreMenu label={`Actions for the label ${label}`}>
          {can('editor') && refusal && <MenuRefusal>{refusal}</MenuRefusal>}
          {can('editor') && (
            <Menu.Item disabled={refusal !== undefined} onClick={() => openLabelForm({ promptId, label })}>
              Move to another version
            </Menu.Item>
          )}
          <Menu.Item onClick={() => openHistory({ promptId, label, version })}>History</Menu.Item>
          {can('admin') && (
            <Menu.Item onClick={() => openProtection(label, isProtected(label))}>
              {isProtected(label) ? 'Remove the protection' : 'Protect'}
            </Menu.Item>
          )}
          {can('editor') && (
            <Menu.Item
              color="var(--mantine-color-error)"
              disabled={refusal !== undefined}
              onClick={() => confirmRemoval(prompt, label, version)}
            >
              Remove
            </Menu.Item>
          )}
        </MoreMenu>
      </Group>
      {last && (
        <Group gap={4}>
          <Small className="cv-break">
            from <span className="cv-mono">{last.from}</span> <When at={last.at} short /> by {last.actor}
          </Small>
          <BackButton {...{ promptId, label, from: last.from }} />
        </Group>
      )}
    </li>
  );
};

/** Keys that are named for one reason. */
const NAMED_KEYS = 3;

/** Which calls of the version on the screen fail since when, why and from where, with the way back to the version before. */
export const FailingCalls = ({
  found: { prompt, failing, moves },
  selected,
}: {
  readonly found: PromptDetails;
  readonly selected: string;
}) => {
  const shown = failing.filter(({ version }) => version === undefined || version === selected);
  if (shown.length === 0) return null;
  const reasons = [...Map.groupBy(shown, ({ code, reason, label }) => JSON.stringify([code, reason, label]))];
  return (
    <Alert color="brick" mb="md" p="xs" title="Calls fail">
      {reasons.map(([id, own], index) => {
        const { code, label, version, reason = '' } = own[0] ?? {};
        const last = moves.find((move) => move.label === label);
        const calls = own.reduce((sum, each) => sum + each.calls, 0);
        const [since = ''] = own.map((each) => each.since).sort();
        const moved = last && last.at <= since;
        const keys = [...new Map(own.map((each) => [each.apiKeyId, each])).values()];
        // Served calls are counted exactly.
        const isServed = code === 'placeholder_left';
        const isFirst = reasons.findIndex(([, [each]]) => each?.label === label) === index;
        const asked = label ? `the label ${label}` : 'the latest version';
        return (
          <Group key={id} justify="space-between">
            <Text style={{ flex: '1 1 16rem' }} className="cv-break">
              {isServed ? '' : 'At least '}
              {counted(calls, 'call')} for {version ? `${version}, by ${asked},` : asked}{' '}
              {isServed ? `${calls === 1 ? 'was' : 'were'} served with gaps` : 'failed'}
              {moved ? ` since ${label} moved to ${version}` : ', first '}
              {!moved && <When at={since} short />}, from{' '}
              {keys.slice(0, NAMED_KEYS).map(({ apiKeyId: keyId, apiKeyName, sourceIp }, index) => (
                <Fragment key={keyId}>
                  {index > 0 && ', '}key <TextLink {...keyPage(keyId)}>{apiKeyName}</TextLink> at{' '}
                  <span className="cv-mono">{sourceIp}</span>
                </Fragment>
              ))}
              {keys.length > NAMED_KEYS && ` and ${counted(keys.length - NAMED_KEYS, 'other key')}`}: {reason}
              .
            </Text>
            {last && isFirst && (
              <BackButton {...{ promptId: prompt.promptId, label: last.label, from: last.from }} isUrgent />
            )}
          </Group>
        );
      })}
    </Alert>
  );
};
