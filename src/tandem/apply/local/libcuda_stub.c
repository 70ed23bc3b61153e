/* Stands for libcuda.so.1 on a machine without an NVIDIA driver, so that libraries which name it can be loaded.
 *
 * NIXL's LIBFABRIC plugin links against the driver but needs it for GPU memory only. Each function says that
 * there is no device; the plugin then treats every buffer as host memory. Signatures and the error code are those
 * of the CUDA driver API: https://docs.nvidia.com/cuda/cuda-driver-api/
 */

enum { CUDA_ERROR_NO_DEVICE = 100 };

int cuInit(unsigned int flags) {
    (void)flags;
    return CUDA_ERROR_NO_DEVICE;
}

int cuCtxSetCurrent(void *context) {
    (void)context;
    return CUDA_ERROR_NO_DEVICE;
}

int cuDeviceGetPCIBusId(char *id, int length, int device) {
    (void)id;
    (void)length;
    (void)device;
    return CUDA_ERROR_NO_DEVICE;
}

int cuPointerGetAttributes(unsigned int count, void *attributes, void **data, unsigned long long pointer) {
    (void)count;
    (void)attributes;
    (void)data;
    (void)pointer;
    return CUDA_ERROR_NO_DEVICE;
}
