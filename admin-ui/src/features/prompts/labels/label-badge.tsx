import { Badge } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { TextLink } from '../../../components/link.tsx';
import { lookOfLabel } from './label-names.ts';
import { useProtection } from './protected-labels.ts';

/** A label in its color, with the version that it points to unless that is already shown, and a mark if it is protected. */
export const LabelBadge = ({ label, version }: { label: string; version?: string }) => {
  const isProtected = useProtection().isProtected(label);
  const title = version ? `${label} serves ${version}` : label;
  return (
    <Badge
      {...lookOfLabel(label)}
      maw={220}
      title={isProtected ? `${title} (protected: only administrators move it)` : title}
      leftSection={isProtected && <IconShieldLock size={12} role="img" aria-label="Protected" />}
      rightSection={version && <span className="cv-mono">→ {version}</span>}
    >
      {label}
    </Badge>
  );
};

/** The version that a label serves, as a link to it on the page of the prompt; read out as `name`, if given. */
export const VersionLink = ({ version, name }: { version: string; name?: string }) => (
  <TextLink
    from="/prompts/$promptId"
    to="."
    search={(search) => ({ ...search, version })}
    resetScroll={false}
    className="cv-mono"
    size="sm"
    {...(name && { 'aria-label': name })}
  >
    {version}
  </TextLink>
);
