import { standardOperations } from '../datasets/standard-operation.ts';
import { axisDefinitions } from '../operations/definitions.ts';

/** A fact about the portal that Maru relies on, but that no public source confirmed. */
export interface Assumption {
  /** Code of the axis: `gen_storelist`, or `file_15012896` for standard data. */
  readonly code: string;
  readonly kind: AssumptionKind;
  /** The assumed value: an operation, a number, the names of fields. */
  readonly value: string;
}

export type AssumptionKind = 'number' | 'operation' | 'quota' | 'page_size' | 'labels';

/** Every assumption in the definitions, by kind and code. */
export function assumptions(): readonly Assumption[] {
  return [...standardAssumptions(), ...axisAssumptions()].sort((a, b) =>
    `${a.kind} ${a.code}` < `${b.kind} ${b.code}` ? -1 : 1,
  );
}

function standardAssumptions(): Assumption[] {
  return standardOperations.flatMap(
    ({ number, operation, numberConfidence, operationConfidence }) => {
      const code = `file_${number}`;
      return [
        ...(numberConfidence === 'read' ? [] : [{ code, kind: 'number' as const, value: number }]),
        ...(operationConfidence === 'read'
          ? []
          : [{ code, kind: 'operation' as const, value: operation }]),
      ];
    },
  );
}

function axisAssumptions(): Assumption[] {
  return axisDefinitions.flatMap((axis) => {
    const { code, path, paging } = axis;
    const inferred = axis.fields.filter(({ labelSource }) => labelSource === 'inferred');
    const operation = path.slice(path.lastIndexOf('/') + 1);
    const hasPageSize = paging.pageSizeMax !== null && !axis.assumed.includes('pageSizeMax');
    const found: (readonly [AssumptionKind, string] | null)[] = [
      axis.certain ? null : ['operation', operation],
      axis.assumed.includes('dailyQuota') ? ['quota', String(axis.dailyQuota)] : null,
      hasPageSize ? null : ['page_size', String(paging.pageSize)],
      inferred.length === 0 ? null : ['labels', inferred.map(({ name }) => name).join(', ')],
    ];
    return found.flatMap((each) =>
      each === null ? [] : [{ code, kind: each[0], value: each[1] }],
    );
  });
}
