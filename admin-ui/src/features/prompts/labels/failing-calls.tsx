import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { counted } from '../../../components/count.ts';
import { TextLink } from '../../../components/link.tsx';
import { When } from '../../../components/when.tsx';
import { eventsQuery, type PromptDetails, type VersionRow } from '../prompt-queries.ts';
import { BackButton } from './back-button.tsx';
import { lastMove } from './labels-panel.tsx';

/** Keys that are named for one reason. */
const NAMED = 3;

interface FailingCallsProps extends Pick<PromptDetails, 'prompt' | 'failing'> {
  readonly versions: readonly VersionRow[];
}

/** Which calls fail since when, why and from where, with the way back to the version before. */
export const FailingCalls = ({ prompt: { promptId }, failing, versions }: FailingCallsProps) => {
  // The labels read the same.
  const { events = [] } = useQuery(eventsQuery(promptId)).data ?? {};
  if (failing.length === 0) return null;
  const reasons = Map.groupBy(failing, ({ reason, label, version }) =>
    JSON.stringify([reason, label, version]),
  );
  return (
    <Alert color="brick" mb="md" p="xs" icon={<IconAlertTriangle size={16} aria-hidden />} title="Calls fail">
      {[...reasons].map(([id, [first, ...others]]) => {
        if (!first) return null;
        const own = [first, ...others];
        const { label, version, reason } = first;
        const last = label && version ? lastMove({ label, version, events }) : undefined;
        const calls = own.reduce((sum, each) => sum + each.calls, 0);
        const since = own.map((each) => each.since).sort()[0] ?? '';
        const moved = last && last.at <= since;
        const keys = [...new Map(own.map((each) => [each.apiKeyId, each])).values()];
        return (
          <Group key={id} justify="space-between" gap="xs">
            <Text style={{ flex: '1 1 16rem' }} className="cv-break">
              {counted(calls, 'call')} failed
              {moved ? ` since ${label} moved to ${version}` : ', first '}
              {!moved && <When at={since} short />}, from{' '}
              {keys.slice(0, NAMED).map(({ apiKeyId: keyId, apiKeyName, sourceIp }, index) => (
                <Fragment key={keyId}>
                  {index > 0 && ', '}key{' '}
                  <TextLink to="/api-keys/$keyId" params={{ keyId }} inherit underline="always">
                    {apiKeyName}
                  </TextLink>{' '}
                  at <span className="cv-mono">{sourceIp}</span>
                </Fragment>
              ))}
              {keys.length > NAMED && ` and ${counted(keys.length - NAMED, 'other key')}`}: {reason}.
            </Text>
            {last && label && version && versions.some((each) => each.version === last.from) && (
              <BackButton {...{ promptId, label, version, from: last.from, at: last.at }} isUrgent />
            )}
          </Group>
        );
      })}
    </Alert>
  );
};
