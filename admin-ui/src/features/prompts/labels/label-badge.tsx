import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PropsWithChildren } from 'react';
import { labelsProtect, labelsUnprotect } from '../../../../../contract/endpoints/labels.ts';
import { call } from '../../../api/client.ts';
import { queryClient } from '../../../api/queries.ts';
import { sessionQuery, useCan } from '../../../api/session-context.tsx';
import { TextLink } from '../../../components/basics.tsx';
import { Icon } from '../../../components/icons.tsx';
import { colorOfLabel, LATEST } from './label-names.ts';

/** A label in its color, with the version that it points to unless that is already shown, and a mark if it is protected. */
export const LabelBadge = ({ label, version }: { label: string; version?: string }) => {
  const isProtected = useProtection().isProtected(label);
  const title = version ? `${label} serves ${version}` : label;
  return (
    <Badge
      color={colorOfLabel(label)}
      maw={220}
      title={isProtected ? `${title} (protected: only administrators move it)` : title}
      leftSection={isProtected && <Icon name="shield-lock" size={12} label="Protected" />}
      rightSection={version && <span className="cv-mono">→ {version}</span>}
    >
      {label}
    </Badge>
  );
};

/** The version that a label serves, as a link to it on the page of the prompt. */
export const VersionLink = ({ version, label }: { version: string; label: string }) => (
  <TextLink
    from="/prompts/$promptId"
    to="."
    search={(search) => ({ ...search, version })}
    resetScroll={false}
    className="cv-mono"
    aria-label={`${version}, live as ${label}`}
  >
    {version}
  </TextLink>
);

/** A link to the comparison of two versions. */
export const CompareLink = ({
  promptId,
  children,
  ...search
}: PropsWithChildren<Record<'promptId' | 'from' | 'to', string>>) => (
  <TextLink to="/prompts/$promptId/compare" {...{ params: { promptId }, search, children }} />
);

interface VersionBadgesProps {
  version: string;
  isLatest: boolean;
  type: string | undefined;
  labels: readonly string[];
}

/** The number of a version, and what is to be known of it at once. */
export const VersionBadges = ({ version, isLatest, type, labels }: VersionBadgesProps) => (
  <>
    <Text span fw={600} className="cv-mono">
      {version}
    </Text>
    {isLatest && <LabelBadge label={LATEST} />}
    {type === 'chat' && <ChatBadge />}
    {labels.map((label) => (
      <LabelBadge key={label} label={label} />
    ))}
  </>
);

/** Says that a prompt or a version is a chat; a text needs no sign. */
export const ChatBadge = () => (
  <Badge color="gray" variant="outline">
    chat
  </Badge>
);

/** Protects a label in every prompt, or removes the protection. */
export const setProtection = async (label: string, isProtected: boolean): Promise<void> => {
  const input = { params: { label } };
  await (isProtected ? call(labelsProtect, input) : call(labelsUnprotect, input));
  await queryClient.invalidateQueries(sessionQuery);
};

/** Which labels are protected, as far as it is known: the service decides. */
export const useProtection = () => {
  const can = useCan();
  const { data } = useQuery(sessionQuery);
  const isProtected = (label: string) =>
    data?.protectedLabels?.some((entry) => entry.label === label) ?? false;
  /** Why the operator cannot set, move or remove a label, or undefined if they can. */
  const refusalOf = (label: string) =>
    isProtected(label) && !can('admin')
      ? `Only administrators can set, move or remove the protected label ${label}.`
      : undefined;
  const mayMove = (label: string) => can('editor') && refusalOf(label) === undefined;
  return { isProtected, refusalOf, mayMove };
};

/** Why the operator cannot set a label of this name, or undefined if they can. */
export const useLabelProblem = (): ((label: string) => string | undefined) => {
  const { refusalOf } = useProtection();
  return (label) =>
    label.toLowerCase() === LATEST
      ? 'Choose another name: callers that ask for no label and no version get the latest version.'
      : refusalOf(label);
};
