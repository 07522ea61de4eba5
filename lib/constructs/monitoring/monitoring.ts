import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { type CfnElement, NestedStack, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { globalName } from '../shared.ts';
import { Alarms, type AlarmsProps } from './alarms.ts';
import { Dashboard, type DashboardProps } from './dashboard.ts';
import { Protections, type ProtectionsProps } from './protections.ts';

export interface MonitoringProps
  extends AlarmsProps,
    Pick<DashboardProps, 'reads' | 'table' | 'consumers'>,
    Omit<ProtectionsProps, 'table' | 'stackName'> {
  /** Whether alarms are mailed to somebody. Otherwise there are none but that of a gradual deployment, and no dashboard. */
  readonly isMailed: boolean;
}

/**
 * Alarms, what else is reported, and the dashboard, in a nested stack: they would count against the 500 resources of the
 * stack, and nothing that serves calls depends on them.
 */
export class Monitoring extends NestedStack {
  /** The alarm that stops a gradual deployment. */
  readonly serverErrors: cloudwatch.IAlarm;

  constructor(scope: Construct, id: string, { isMailed, ...props }: MonitoringProps) {
    super(scope, id, { description: 'Alarms and the dashboard' });
    (this.nestedStackResource as CfnElement).overrideLogicalId(id);
    const alarms = new Alarms(this, 'Alarms', isMailed, props);
    this.serverErrors = alarms.serverErrors;
    const stackName = Stack.of(scope).stackName;
    new Protections(this, 'Protections', { ...props, table: props.table.resource, stackName });
    if (isMailed) new Dashboard(this, 'Dashboard', { ...props, name: globalName(scope), alarms: alarms.all });
  }
}
