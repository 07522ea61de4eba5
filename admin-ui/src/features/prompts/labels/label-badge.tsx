import { Badge } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
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
