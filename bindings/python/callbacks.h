/* Functions of Python that C calls. */
extern "Python" void tenon_function(void *context, double x, double *out);
extern "Python" tn_status tenon_primitive(void *context, const tn_primitive *primitive);
extern "Python" void tenon_loads(void *context, tn_stage *stage);
extern "Python" int tenon_interrupted(void);
