/** The answer with all completed participations, by which a fault selects it. */
export const COMPLETED_LIST = "completed-participations";
